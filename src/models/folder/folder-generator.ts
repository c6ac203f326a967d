import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { failed } from "../../files/file-error.js";
import { imagesBelow, metadataNames, splitsOf, unnamedParts } from "../../files/image-folder.js";
import { outsideProblem } from "../../files/outside.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import { openPicture } from "../../images/picture.js";

/**
 * Images that were made elsewhere, by whatever tool, as a generator: it looks up the image that is
 * asked for. A run refers to the files and keeps no copy of them.
 *
 * @param name what the folder is called in records
 * @param allowOutside whether links in the folder may lead out of it
 * @param embed whether the run keeps copies after all
 * @throws from `generate`: NoAnswer "not-applicable", to be asked again, where there is no such image;
 *   "bad-input" where the file is no image, or, to be asked again, where a link leads out of the folder.
 */
export function folderGenerator({
  directory,
  index,
  name = directory,
  embed = false,
  allowOutside = false,
}: {
  readonly directory: string;
  readonly index: ImageIndex;
  readonly name?: string | undefined;
  readonly embed?: boolean;
  readonly allowOutside?: boolean;
}): ImageGenerator {
  return {
    identity: { provider: "folder", model: name },
    async generate({ prompt, place }, options) {
      options?.signal?.throwIfAborted();
      const found = index.fileOf({ text: prompt, place });
      if (found === undefined) {
        const which =
          place === undefined ? prompt : `${place.prompt}-${place.role}-${place.sample}`;
        // It may be put there any time.
        throw new NoAnswer("not-applicable", `${name} has no image for ${which}`, {
          retryable: true,
        });
      }
      const file = join(directory, found);
      const outside = allowOutside ? undefined : await outsideProblem(file, [directory]);
      if (outside !== undefined) {
        throw new NoAnswer("bad-input", `Can't read ${name}/${found}: ${outside}`, {
          retryable: true,
        });
      }
      const bytes = await readRegularFile(file, { mostBytes: mostImageBytes }).catch(
        failed("read", file),
      );
      await openPicture(bytes, `${name}/${found}`);
      return { bytes, ...(embed ? {} : { file }) };
    },
  };
}

/** Which image is wanted. */
export interface Wanted {
  readonly text: string;
  /** The prompt's key, its role and the image's number from 0. */
  readonly place?:
    | { readonly prompt: string; readonly role: string; readonly sample: number }
    | undefined;
}

const byName = /^(?<prompt>[0-9a-f]{32})-(?<role>[a-z]+(?:-[a-z]+)*)-(?<sample>\d+)\.[^.]+$/;

/**
 * The images of a folder by what they are of: by their names, KEY-ROLE-SAMPLE.png, and before that by
 * the rows of metadata.jsonl or metadata.csv where one stands: `file_name` (or `file`) with `prompt`,
 * `role` and `sample`, or with `text` alone: then the first row of a text is its image 0, the next one 1.
 * In a folder of splits (train, test) each has such a table, read in the order of their names.
 * `query` in place of `text` is a query of an audit, and never a rewritten one.
 */
export class ImageIndex {
  /** Every image in the folder. */
  readonly images: readonly string[];
  /** Names that stand for an image which has one already. */
  readonly repeated: readonly string[];
  /** Names in the table without a file. */
  readonly absent: readonly string[];
  readonly #byPlace: ReadonlyMap<string, string>;
  readonly #byText: ReadonlyMap<string, string>;

  private constructor(
    images: readonly string[],
    found: Found & { readonly absent: readonly string[] },
  ) {
    this.images = images;
    this.repeated = found.repeated;
    this.absent = found.absent;
    this.#byPlace = found.byPlace;
    this.#byText = found.byText;
  }

  /** @throws InputError where the folder can't be read, has two tables, or a table that is not sound. */
  static async open(directory: string): Promise<ImageIndex> {
    const images = await imagesBelow(directory);
    const splits = await splitsOf(directory);
    const tables = await Promise.all(
      (splits.length === 0 ? [""] : splits).map((split) => tableOf(directory, split)),
    );
    const found: Found = { byPlace: new Map(), byText: new Map(), repeated: [] };
    const nextOf = new Map<string, number>();
    for (const table of tables) {
      if (table !== undefined) await addTable(table, found, nextOf);
    }
    if (tables.every((table) => table === undefined)) {
      const parts = images.length === 0 ? await unnamedParts(directory) : undefined;
      if (parts !== undefined) throw parts;
      return new ImageIndex(images, { ...indexByName(images), absent: [] });
    }
    const there = new Set(images);
    const named = new Set([...found.byPlace.values(), ...found.byText.values(), ...found.repeated]);
    for (const [place, name] of indexByName(images).byPlace) {
      if (!named.has(name) && !found.byPlace.has(place)) found.byPlace.set(place, name);
    }
    const absent = [...named].filter((name) => !there.has(name));
    return new ImageIndex(images, { ...found, absent });
  }

  /** The file of an image, relative to the folder; `undefined` where it has none. */
  fileOf({ text, place }: Wanted): string | undefined {
    const found =
      (place === undefined ? undefined : this.#byPlace.get(placeKey(place))) ??
      this.#byText.get(textKey(text, place?.sample ?? 0)) ??
      (place?.role === queryRole
        ? this.#byText.get(textKey(text, place.sample, queryRole))
        : undefined);
    return found !== undefined && this.absent.includes(found) ? undefined : found;
  }
}

interface Found {
  readonly byPlace: Map<string, string>;
  readonly byText: Map<string, string>;
  readonly repeated: string[];
}

const placeKey = ({ prompt, role, sample }: NonNullable<Wanted["place"]>) =>
  `${prompt}-${role}-${sample}`;
const textKey = (text: string, sample: number, role?: string) =>
  JSON.stringify([text.trim(), sample, ...(role === undefined ? [] : [role])]);

/** The role of images of an audit's queries as they are. */
const queryRole = "query";

function indexByName(images: readonly string[]): Found {
  const found: Found = { byPlace: new Map(), byText: new Map(), repeated: [] };
  for (const name of images) {
    const parts = byName.exec(name.slice(name.lastIndexOf("/") + 1))?.groups;
    if (parts === undefined) continue;
    const { prompt = "", role = "", sample } = parts;
    const key = placeKey({ prompt, role, sample: Number(sample) });
    if (found.byPlace.has(key)) found.repeated.push(name);
    else found.byPlace.set(key, name);
  }
  return found;
}

interface Table {
  readonly path: string;
  /** Folder of its own within the one that was given, "" for that one. */
  readonly split: string;
}

/** @throws InputError where there are two. */
async function tableOf(directory: string, split: string): Promise<Table | undefined> {
  const folder = join(directory, split);
  const there = new Set(await readdir(folder));
  const [name, second] = metadataNames.filter((one) => there.has(one));
  if (name === undefined) return undefined;
  if (second !== undefined) {
    throw new InputError(`Expected ${name} or ${second} in ${folder} but found both`);
  }
  return { path: join(folder, name), split };
}

async function addTable(
  { path, split }: Table,
  found: Found,
  nextOf: Map<string, number>,
): Promise<void> {
  const [{ readTable }, { optionalText }] = await Promise.all([
    import("../../files/read-table.js"),
    import("../../tables/columns.js"),
  ]);
  const problems: string[] = [];
  const columns = {
    file_name: optionalText,
    file: optionalText,
    prompt: optionalText,
    role: optionalText,
    sample: optionalText,
    text: optionalText,
    query: optionalText,
  };
  for await (const { row, line } of readTable({ source: { name: path, path }, columns })) {
    const file = row.file_name ?? row.file;
    const name = file === undefined || split === "" ? file : `${split}/${file}`;
    const sample = row.sample === undefined ? undefined : Number(row.sample);
    const isNumber = sample === undefined || (Number.isSafeInteger(sample) && sample >= 0);
    const hasPlace = row.prompt !== undefined && row.role !== undefined;
    const text = row.text ?? row.query;
    if (name === undefined || !isNumber || !(hasPlace || text !== undefined)) {
      problems.push(
        `Expected file_name with prompt, role and sample (from 0), or with text or query (in ${path}, line ${line})`,
      );
      continue;
    }
    if (hasPlace) {
      const { prompt = "", role = "" } = row;
      note(found, found.byPlace, placeKey({ prompt, role, sample: sample ?? 0 }), name);
      continue;
    }
    if (text === undefined) continue;
    const role = row.text === undefined ? queryRole : undefined;
    const series = textKey(text, 0, role);
    const number = sample ?? nextOf.get(series) ?? 0;
    nextOf.set(series, number + 1);
    note(found, found.byText, textKey(text, number, role), name);
  }
  if (problems.length > 0) {
    throw new InputError(`Expected a table that says what its images are of (in ${path})`, {
      problems,
    });
  }
}

function note({ repeated }: Found, map: Map<string, string>, key: string, name: string): void {
  if (map.has(key)) repeated.push(name);
  else map.set(key, name);
}
