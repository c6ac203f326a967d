import { basename, isAbsolute, join, resolve } from "node:path";
import { type MakingOfImages, makingOfImages } from "../../../analysis/comparison/image-making.js";
import { InputError } from "../../../core/errors.js";
import { imageMaking } from "../../../core/records.js";
import { imagesBelow, imagesWithoutTexts, metadataNames } from "../../../files/image-folder.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { exists } from "../../../files/paths.js";
import { kindAt } from "../../../files/regular-file.js";
import { seedsApart } from "../../../images/image-changes.js";
import { parseMap } from "../../../tables/map.js";
import type { Environment } from "../../environment.js";
import type { ScoreItem } from "../score/score-item.js";
import { readItems } from "../score/score-items.js";
import { isRun } from "../score/score-run.js";
import { promptsFor, stem } from "./given-prompts.js";

/** One of the two that are compared: its name, and the folder, table or run that its images are in. */
export interface ComparedSide {
  readonly name: string;
  readonly source: string;
}

export type TwoSides = readonly [a: ComparedSide, b: ComparedSide];

/**
 * The two sides that a command line names, `NAME=SOURCE` or a source alone, which is then called as its last part.
 *
 * @throws InputError where they are not two, or have one name or source.
 */
export function twoSides(texts: readonly string[], workingDirectory: string): TwoSides {
  const named = texts.map((text): ComparedSide => {
    const [, name, source] = /^([^=/\\]+)=(.+)$/.exec(text) ?? [];
    return name === undefined || source === undefined
      ? { name: nameOf(text), source: text }
      : { name: name.trim(), source };
  });
  const [a, b, ...more] = named;
  if (a === undefined || b === undefined || more.length > 0) {
    throw new InputError(
      `Expected two folders, runs or tables of images to compare but received ${texts.length}`,
      { hint: "touchstone compare --images A=images-a --images B=images-b" },
    );
  }
  if (resolve(workingDirectory, a.source) === resolve(workingDirectory, b.source)) {
    throw new InputError(
      `Expected two different folders, runs or tables of images but received ${a.source} twice`,
    );
  }
  if (a.name !== b.name) return [a, b];
  if (a.source === b.source || texts.includes(`${a.name}=${a.source}`)) {
    throw new InputError(`Expected two names for --images but received ${a.name} twice`);
  }
  return [
    { ...a, name: a.source },
    { ...b, name: b.source },
  ];
}

const nameOf = (source: string): string =>
  basename(source.replace(/[/\\]+$/, "")).replace(/\.\w+$/, "") || source;

/** Where the texts of a side's images come from; "none" where nothing says them. */
export type TextsFrom = "metadata" | "elsewhere" | "none";

/** The images of one side, with texts where they have some. */
export interface SideItems {
  readonly items: readonly ScoreItem[];
  readonly textsFrom: TextsFrom;
  readonly notes: readonly string[];
}

/** How the items of a side are read. */
export interface SideReading {
  readonly environment: Environment;
  readonly map: readonly string[];
  readonly allowOutside: boolean;
  /** A file of prompts for folders. */
  readonly prompts: string | undefined;
}

/**
 * Reads the images of a folder, a table or a run, also of a folder that says of none what it is to show.
 *
 * @throws InputError where there is no image.
 */
export async function sideItems(
  source: string,
  { environment, map, allowOutside, prompts }: SideReading,
): Promise<SideItems> {
  const { workingDirectory } = environment;
  if (await isRun(source, environment)) return runItems(source, environment);
  const folder = resolve(workingDirectory, source);
  const isFolder = (await kindAt(folder)) === "folder";
  const bare = (images: readonly string[], texts: ReadonlyMap<string, string>) =>
    images.map(
      (image): ScoreItem => ({
        image,
        path: join(folder, image),
        text: texts.get(image) ?? "",
        ...(allowOutside ? {} : { folder }),
        others: {},
      }),
    );
  if (prompts !== undefined && isFolder) {
    const images = await imagesBelow(folder);
    if (images.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
    const texts = await promptsFor(images, { file: prompts, source, workingDirectory });
    const items = bare(images, texts).filter(({ text }) => text !== "");
    return { items, textsFrom: "elsewhere", notes: [] };
  }
  const untold = isFolder ? await imagesWithoutTexts(folder) : undefined;
  if (untold !== undefined) return { items: bare(untold, new Map()), textsFrom: "none", notes: [] };
  const {
    items: list,
    notes,
    remove,
  } = await readItems(source, {
    environment,
    map: parseMap(map),
    allowOutside,
    skipBad: false,
  });
  const items = await list.all().finally(remove);
  if (items.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
  const hasTable = isFolder && (await hasMetadata(folder));
  return { items, notes, textsFrom: hasTable ? "metadata" : "elsewhere" };
}

/** The images of a run, of all of its models; `others` says how each was made. */
async function runItems(source: string, environment: Environment): Promise<SideItems> {
  const store = await openStore(runPlace(source, environment));
  const found: (ScoreItem & { readonly seed: string; readonly model: string })[] = [];
  const models = new Set<string>();
  const places: unknown[] = [];
  for await (const record of store.ofType("image")) {
    if (record.status !== "done") continue;
    const { image, text, seed, role, sample, model, making, revisedPrompt, width, height } = record;
    const path = await store.blobs.addressOf(image);
    if (path === undefined || !isAbsolute(path)) {
      throw new InputError(`Expected images in files but those of ${source} lie elsewhere`);
    }
    models.add(model);
    places.push([role, sample]);
    found.push({
      seed: `${seed}`,
      model,
      image,
      path,
      text,
      others: {
        making: { ...making, size: `${width}x${height}` },
        ...(revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }),
      },
    });
  }
  if (found.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
  const items = seedsApart(found, (at) => places[at]).map(
    ({ seed, model, ...item }): ScoreItem => ({ ...item, others: { seed, model, ...item.others } }),
  );
  const notes =
    models.size > 1
      ? [`${source} has images of ${models.size} models: ${[...models].join(", ")}`]
      : [];
  return { items, textsFrom: "elsewhere", notes };
}

const hasMetadata = async (folder: string) =>
  (await Promise.all(metadataNames.map((name) => exists(join(folder, name))))).includes(true);

/** How the images of two sides were made, as their records or metadata say. */
export function makingOfItems(
  [a, b]: TwoSides,
  [one, other]: readonly [SideItems, SideItems],
): MakingOfImages[] {
  const all = [...one.items, ...other.items];
  const texts = new Map(
    all.flatMap(({ image, text }) => (text === "" ? [] : [[stem(image), text] as const])),
  );
  const made = ({ name }: { readonly name: string }, { items }: SideItems) =>
    items.map(({ image, text, others }) => ({
      by: name,
      // What has no text is paired with its like by its file's name.
      prompt: text || texts.get(stem(image)) || image,
      making: imageMaking.safeParse(others.making).data ?? {},
      isRewritten: typeof others.revised_prompt === "string",
    }));
  return makingOfImages([...made(a, one), ...made(b, other)]);
}
