import { appendFile, readFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { type Localizer, modelName } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { systemCode } from "../../../files/file-error.js";
import type { TextPlace } from "../../../files/folder-texts/folder-texts.js";
import { imageTables, refuseTexts } from "../../../files/image-folder.js";
import { freeName, makeFolder } from "../../../files/make-folder.js";
import { readTable } from "../../../files/read-table.js";
import { cocoOfMask } from "../../../images/coco-mask.js";
import { type LocalizationStrategy, localize } from "../../../images/localize.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { ruleDecomposer } from "../../../models/decomposer/rule-decomposer.js";
import { optionalText, text } from "../../../tables/columns.js";
import { structure } from "../../../tables/structure-column.js";

/** An entity to find in an image. */
interface Wanted {
  /** As masks.jsonl names it. */
  readonly image: string;
  /** As its table names it. */
  readonly name: string;
  readonly path: string;
  readonly entity: string;
}

const keptRow = z.looseObject({
  image: z.string(),
  entity: z.string(),
  model: z.string(),
  mask: z.unknown(),
  problem: z.string().optional(),
});

export interface LocalizedRow {
  readonly image: string;
  readonly entity: string;
  readonly model: string;
  /** COCO's run lengths; null where the entity is nowhere; not there where there is no answer. */
  readonly mask?: Json;
  /** The share of the image inside it. */
  readonly inside?: number;
  /** The file that shows what a metric sees. */
  readonly seen?: string;
  readonly problem?: string;
}

/**
 * Finds entities in many images and writes a folder that `masks:DIR` reads: masks.jsonl with a row for
 * each image and entity, and what a metric sees of each as an image file. Rows that are there of the same
 * model are kept, so that what was stopped goes on.
 *
 * @param options.entities what to find in every image; where none is given, what its row has as
 *   `entities`, or what its `text` says, by rules
 */
export async function localizeMany({
  source,
  entities,
  localizer,
  strategy,
  texts,
  out,
  signal,
  atOnce,
  onDone,
  tell,
}: {
  /** A folder of images, or a table. */
  readonly source: string;
  /** Where the folder's texts are. */
  readonly texts: TextPlace | undefined;
  readonly entities: readonly string[];
  readonly localizer: Localizer;
  readonly strategy: LocalizationStrategy;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly atOnce: number;
  readonly onDone: (done: number, all: number) => void;
  /** Called with a sentence that says how texts were found, where no table has them. */
  readonly tell: (note: string) => void;
}): Promise<{ readonly rows: readonly LocalizedRow[]; readonly left: number }> {
  const wanted = await wantedIn(source, { entities, texts, out, tell });
  await makeFolder(out);
  const table = join(out, "masks.jsonl");
  const model = modelName(localizer.identity);
  const rows = new Map<string, LocalizedRow>();
  for (const row of await keptRows(table)) {
    if (row.model === model && row.problem === undefined) rows.set(keyOf(row), row);
  }
  const inOrder = () => wanted.flatMap((one) => rows.get(keyOf(one)) ?? []);
  const lineOf = (row: LocalizedRow) => `${JSON.stringify(row)}\n`;
  const write = () =>
    writeFileAtomically(
      table,
      inOrder()
        .filter(({ problem }) => problem === undefined)
        .map(lineOf)
        .join(""),
    );
  const taken = new Set([...rows.values()].map(({ seen = "" }) => basename(seen).toLowerCase()));
  const left = wanted
    .filter((one) => !rows.has(keyOf(one)))
    .map((one) => ({ ...one, seen: freeName(taken, seenStem(one), ".png") }))
    .values();
  // A line that was cut off would spoil the next one.
  await write();
  let done = rows.size;
  onDone(done, wanted.length);
  let writing = Promise.resolve();
  const work = async () => {
    for (const one of left) {
      if (signal.aborted) return;
      const row = await localized(one, { localizer, strategy, out, model, signal });
      if (row === undefined) return;
      rows.set(keyOf(one), row);
      onDone(++done, wanted.length);
      if (row.problem === undefined) writing = writing.then(() => appendFile(table, lineOf(row)));
      await writing;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await write();
  return { rows: inOrder(), left: wanted.length - rows.size };
}

const keyOf = ({ image, entity }: Pick<Wanted, "image" | "entity">) =>
  JSON.stringify([image, entity]);

const seenStem = ({ image, entity }: Wanted) =>
  `${basename(image, extname(image))}-${entity.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;

async function localized(
  { image, name, path, entity, seen }: Wanted & { readonly seen: string },
  {
    localizer,
    strategy,
    out,
    model,
    signal,
  }: {
    readonly localizer: Localizer;
    readonly strategy: LocalizationStrategy;
    readonly out: string;
    readonly model: string;
    readonly signal: AbortSignal;
  },
): Promise<LocalizedRow | undefined> {
  const named = { image, entity, model };
  try {
    const picture = await openPictureFile(path, name);
    const mask = await localizer.localize(picture, entity, { signal });
    const inside = mask?.data.reduce((sum, one) => sum + one, 0) ?? 0;
    if (mask === undefined || inside === 0) return { ...named, mask: null };
    const shown = localize(await picture.pixels(), { mask, strategy });
    await makeFolder(join(out, "seen"));
    await writeFileAtomically(join(out, "seen", seen), encodePng(shown));
    return {
      ...named,
      mask: cocoOfMask(mask),
      inside: inside / mask.data.length,
      seen: `seen/${seen}`,
    };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof NoAnswer)) throw error;
    return { ...named, problem: `${name}, ${entity}: ${error.message}` };
  }
}

/** Reads the table of an earlier time; a last line that was cut off counts for nothing. */
async function keptRows(table: string): Promise<LocalizedRow[]> {
  const content = await readFile(table, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  });
  return content.split("\n").flatMap((line) => {
    try {
      const { data } = keptRow.safeParse(JSON.parse(line));
      // Written by this verb; what matters of it was checked.
      return data === undefined ? [] : [data as LocalizedRow];
    } catch {
      return [];
    }
  });
}

async function entitiesIn(sentence: string | undefined, place: string) {
  try {
    if (sentence !== undefined) return await ruleDecomposer().decompose(sentence);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new InputError(`${error.message} (in ${place})`, { hint });
  }
  throw new InputError(`Expected an entity to find but found none (in ${place})`, { hint });
}

const hint =
  'Name them by --entity, or in a column entities: [{"entity": "skirt", "attributes": []}]';

/** Every image and entity once; images are named from `out`, where the table will be. */
async function wantedIn(
  source: string,
  {
    entities,
    texts,
    out,
    tell,
  }: Pick<Parameters<typeof localizeMany>[0], "entities" | "texts" | "out" | "tell">,
): Promise<Wanted[]> {
  const found = new Map<string, Wanted>();
  const columns = { image: text, text: optionalText, entities: structure };
  for (const { name, table, directory, note } of await tablesOf(source, texts)) {
    if (note !== undefined) tell(note);
    const isNamed = note !== undefined || /metadata\.(jsonl|csv)$/.test(name);
    const map: Readonly<Record<string, string>> = isNamed ? { image: "file_name" } : {};
    for await (const { line, row } of readTable({ source: table, columns, map, tell })) {
      const path = resolve(directory, row.image);
      const own =
        entities.length > 0
          ? entities
          : (row.entities ?? (await entitiesIn(row.text, `${name}, line ${line}`))).map(
              ({ entity }) => entity,
            );
      for (const entity of own) {
        const wanted = { image: relative(out, path), name: row.image, path, entity };
        found.set(keyOf(wanted), wanted);
      }
    }
  }
  return [...found.values()];
}

/** The table itself, or those of a folder of images, each with the folder that its images lie in. */
async function tablesOf(source: string, texts: TextPlace | undefined) {
  if (!/\.(jsonl|csv|parquet)$/i.test(source)) {
    const found = await imageTables(source, { place: texts });
    return found.map(({ metadata, table, split, note }) => ({
      name: metadata,
      table: table(),
      directory: join(source, split),
      note,
    }));
  }
  refuseTexts(texts, source);
  const table = { name: source, path: source };
  return [{ name: source, table, directory: dirname(source), note: undefined }];
}
