import { dirname, join, relative, resolve } from "node:path";
import { smallestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import type { TextPlace } from "../../files/folder-texts/folder-texts.js";
import { imageTables, refuseTexts } from "../../files/image-folder.js";
import { unpackedFolder } from "../../files/image-sets/unpacked-folder.js";
import { type FoundStore, openStore, storesIn } from "../../files/open-store.js";
import { readTable } from "../../files/read-table.js";
import { kindAt } from "../../files/regular-file.js";
import { optionalText, text } from "../../tables/columns.js";
import type { BlockSettings } from "../config/study-config.js";
import type { ItemDraft, Protocol } from "../protocols/protocol.js";
import type { FilterShare, StudyBlock } from "../study.js";
import { plainColumns, readTableItems } from "./read-table-items.js";
import type { ImageSource, SourceImage } from "./sources/image-source.js";
import { findByMasks, findByRun, runSource } from "./sources/run-source.js";

/** Items of a block, and the folder that their paths are relative to. */
export interface ReadItems {
  readonly items: readonly ItemDraft[];
  readonly folder: string;
  /** What the run's filter left of its pairs; only where they came from a run with one. */
  readonly filter?: FilterShare | undefined;
}

/**
 * Reads the items of a block: from a table, a run, a folder of runs one of which gives such items, a folder of
 * images with metadata.jsonl in it or its splits, or WebDataset shards or Parquet with images.
 *
 * @param from a path from `folder`
 * @param options.tell called with a sentence that says how texts were found, where no table has them.
 * @throws InputError where there is nothing that gives items of this protocol.
 */
export async function readItems(
  from: string,
  {
    folder,
    protocol,
    settings,
    tell,
  }: {
    readonly folder: string;
    readonly protocol: Protocol;
    readonly settings: BlockSettings;
    readonly tell?: ((note: string) => void) | undefined;
  },
): Promise<ReadItems> {
  const path = resolve(folder, from);
  const isFolder = (await kindAt(path)) === "folder";
  const unpacked = isFolder ? undefined : await unpackedFolder(from, { workingDirectory: folder });
  const itemsOf = (source: ImageSource) => protocol.items(protocol.rowsOf(source));
  if (unpacked !== undefined) {
    refuseTexts(settings.texts, from);
    return { items: itemsOf(await folderSource(unpacked, { name: from })), folder: unpacked };
  }
  const runs = isFolder ? await storesIn(path) : [];
  if (!isFolder || runs.length > 0) refuseTexts(settings.texts, from);
  if (runs.length === 0 && settings.masks !== undefined) {
    throw new InputError(`Expected a run for masks but ${from} is none`, {
      hint: "A table names masks and boxes in its columns mask and box.",
    });
  }
  if (!isFolder) {
    const items = await readTableItems({ path, name: from }, { protocol, settings, tell });
    return { items, folder: dirname(path) };
  }
  const read =
    runs.length === 0
      ? { items: itemsOf(await folderSource(path, { name: from, texts: settings.texts, tell })) }
      : await itemsOfRuns(runs, { from, itemsOf, settings, folder });
  return { ...read, folder: path };
}

type ItemsOf = (source: ImageSource) => readonly ItemDraft[];

type RunItems = Omit<ReadItems, "folder">;

interface RunReading {
  readonly itemsOf: ItemsOf;
  readonly settings: BlockSettings;
  /** The folder that paths in the settings are relative to. */
  readonly folder: string;
}

/** The items of a run, or why it gives none. */
async function runItems(
  place: string,
  { name, itemsOf, settings, folder }: RunReading & { readonly name: string },
): Promise<RunItems | InputError> {
  const { unfiltered = false, masks, view } = settings;
  const run = await openStore(place);
  const finder =
    masks !== undefined
      ? await findByMasks(resolve(folder, masks))
      : view === "localized"
        ? await findByRun(run)
        : undefined;
  const source = await runSource(run, { name, unfiltered, finder });
  try {
    const items = itemsOf(source);
    return items.length > 0
      ? { items, filter: source.filter }
      : new InputError(`Expected images for people in ${name} but it has none`);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** Items of the run that stands there itself, else of the one run below that gives some. */
async function itemsOfRuns(
  runs: readonly FoundStore[],
  { from, ...how }: RunReading & { readonly from: string },
): Promise<RunItems> {
  const giving: { readonly name: string; readonly items: RunItems }[] = [];
  let problem: InputError | undefined;
  for (const { name: below, place } of runs) {
    const name = below === "" ? from : `${from}/${below}`;
    const items = await runItems(place, { name, ...how });
    if (items instanceof InputError) problem ??= items;
    else if (below === "") return items;
    else giving.push({ name, items });
  }
  const [only, another] = giving;
  if (only === undefined) throw problem ?? new InputError(`Expected a run in ${from}`);
  if (another === undefined) return only.items;
  throw new InputError(
    `Expected one run with such items in ${from} but ${listText(giving.map(({ name }) => name))} have some`,
    { hint: `Name one: from: ${only.name}` },
  );
}

/** On how many prompts the models of a block can be compared. */
export interface SharedPrompts {
  readonly models: number;
  readonly prompts: number;
  /** The fewest prompts that two of the models share. */
  readonly shared: number;
}

/**
 * How many prompts the models of a block of ratings share: `compare` sets models against each other on the
 * prompts that both have, and has no use for other labels. Undefined where there are not two models.
 */
export function sharedPrompts({ items }: StudyBlock): SharedPrompts | undefined {
  const promptsOf = new Map<string, Set<string>>();
  for (const { beside, content } of items) {
    if (typeof beside.model !== "string" || typeof content.text !== "string") continue;
    const prompts = promptsOf.get(beside.model) ?? new Set();
    promptsOf.set(beside.model, prompts.add(String(beside.prompt ?? content.text)));
  }
  const models = [...promptsOf.values()];
  if (models.length < 2) return undefined;
  const shared = models.flatMap((own, at) =>
    models.slice(at + 1).map((other) => [...own].filter((prompt) => other.has(prompt)).length),
  );
  const prompts = new Set(models.flatMap((own) => [...own])).size;
  return { models: models.length, prompts, shared: smallestOf(shared) };
}

const columns = {
  file_name: text,
  text: optionalText,
  caption: optionalText,
  prompt: optionalText,
  model: optionalText,
};

/**
 * Reads the images of a folder and its metadata.jsonl (or .csv), or those of its splits: `file_name`, `text` (or caption,
 * prompt), and `model`, else the folder that the image lies in. Texts may stand elsewhere.
 *
 * @param options.tell called with a sentence that says how texts were found, where no table has them.
 * @throws InputError that lists rows without a text.
 */
async function folderSource(
  folder: string,
  {
    name,
    texts,
    tell,
  }: {
    readonly name: string;
    readonly texts?: TextPlace | undefined;
    readonly tell?: ((note: string) => void) | undefined;
  },
): Promise<ImageSource> {
  const images: SourceImage[] = [];
  const problems: string[] = [];
  const samples = new Map<string, number>();
  for (const { split, metadata, table, note } of await imageTables(folder, { place: texts })) {
    const source = { ...table(), name: join(name, relative(folder, metadata)) };
    if (note !== undefined) tell?.(note);
    const request = { source, columns, unique: ["file_name"] as const, tell };
    for await (const { row, all, line } of readTable(request)) {
      const file = join(split, row.file_name);
      const own = row.text ?? row.caption ?? row.prompt;
      if (own === undefined) {
        problems.push(`line ${line}: expected a text for ${file}`);
        continue;
      }
      const folders = row.file_name.split("/").slice(0, -1);
      const model = row.model ?? (note === undefined ? folders : folders.filter(isMaker)).join("/");
      const made = JSON.stringify([own, model]);
      const sample = samples.get(made) ?? 0;
      samples.set(made, sample + 1);
      images.push({
        id: file,
        path: resolve(folder, file),
        text: own,
        prompt: own,
        model,
        sample,
        beside: {
          ...plainColumns(all, new Set(["file_name", "text", "caption", "model"])),
          prompt: own,
          ...(model === "" ? {} : { model }),
        },
      });
    }
  }
  if (problems.length > 0)
    throw new InputError(`Expected a text for each image in ${name}`, { problems });
  return { name, images, judged: [] };
}

/** Whether a folder may be named after who made its images: not where it is one of a prompt, or of a shard. */
const isMaker = (folder: string) => !/^(\d+|samples|images)$/.test(folder);
