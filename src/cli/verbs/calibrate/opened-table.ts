import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { type JudgingTask, judgingTasks, taskTables } from "../../../core/judging-task.js";
import { listText } from "../../../core/phrases.js";
import type { TextPlace } from "../../../files/folder-texts/folder-texts.js";
import { openImageFolder, refuseTexts } from "../../../files/image-folder.js";
import { unpackedFolder } from "../../../files/image-sets/unpacked-folder.js";
import { readTable, type TableSource } from "../../../files/read-table.js";
import { parseMap } from "../../../tables/map.js";
import type { Environment } from "../../environment.js";

/** A table as the command line names it. */
export interface ItemSource {
  readonly file: string;
  readonly map: readonly string[];
  /** Where images are; default: beside the table. */
  readonly images?: string | undefined;
  /** Where a folder's texts are. */
  readonly texts?: TextPlace | undefined;
  /** Whether images may lie outside the folders of the table and of `images`. */
  readonly allowOutside?: boolean;
  /** Another table whose folder they may lie in: that from which a queue for review was made. */
  readonly besides?: string | undefined;
  readonly environment: Pick<Environment, "workingDirectory" | "stdin">;
  /** Told in a sentence each how texts were found, and which words were read as no answer. */
  readonly tell?: (sentence: string) => void;
}

export interface OpenedTable {
  /** Anew for each reading. */
  source(): TableSource;
  /** Names of its columns, where they are not the usual ones. */
  readonly map: NameMap;
  /** The file that one of its cells means. */
  pathOf(image: string): string;
  /** The folders that images must lie in; anywhere where not given. */
  readonly folders: readonly string[] | undefined;
}

/**
 * A table that is read twice: once for its columns. A stream is kept meanwhile.
 *
 * @param isReviewed whether it came back from review. A queue has columns and images under names of
 *   its own, as seen from itself; so `map` then counts for columns that are there, and `images` for
 *   what does not lie as it is named.
 */
export async function openedTable(
  { file, map, images, texts, allowOutside = false, besides, environment, tell }: ItemSource,
  { isReviewed }: { readonly isReviewed: boolean },
): Promise<OpenedTable> {
  const { workingDirectory } = environment;
  const isStream = file === "-";
  const given = parseMap(map);
  const textColumn = given.text ?? given.caption ?? given.prompt;
  const set = isStream ? undefined : await imageSet(file, { workingDirectory, texts, textColumn });
  if (set === undefined) refuseTexts(texts, isStream ? "standard input" : file);
  if (set?.note !== undefined) tell?.(set.note);
  const path = resolve(workingDirectory, file);
  const beside = isStream ? workingDirectory : (set?.directory ?? dirname(path));
  const folder = images === undefined ? beside : resolve(workingDirectory, images);
  const source = isStream
    ? await keptStream(environment)
    : () => ({ ...(set?.table() ?? { path }), name: file });
  // Rows that were paired with images have their text as such.
  const own = Object.fromEntries(
    Object.entries(given).filter(([, column]) => texts !== "order" || column !== textColumn),
  );
  const isNamed = set === undefined || "image_a" in own;
  const named = { ...(isNamed ? {} : await imageName(source())), ...own };
  const from = (directory: string) => (image: string) =>
    isAbsolute(image) ? image : resolve(directory, image);
  const other = besides === undefined ? [] : [dirname(resolve(workingDirectory, besides))];
  const folders = allowOutside ? undefined : [...new Set([beside, folder, ...other])];
  if (!isReviewed) return { source, map: named, pathOf: from(folder), folders };
  const columns = await columnsOf(source());
  return {
    source,
    folders,
    map: Object.fromEntries(Object.entries(named).filter(([, column]) => columns.has(column))),
    pathOf(image) {
      const places = [from(beside)(image), from(folder)(image)] as const;
      return places.find((place) => existsSync(place)) ?? places[0];
    },
  };
}

/** ImageFolder's name for the image, where no column has ours. */
async function imageName(source: TableSource): Promise<NameMap> {
  const columns = await columnsOf(source);
  const isNamed = ["image", "image_a"].some((name) => columns.has(name));
  return !isNamed && columns.has("file_name") ? { image: "file_name" } : {};
}

/** A folder of images, or the one that images within files are unpacked into; undefined for another table. */
async function imageSet(
  file: string,
  {
    workingDirectory,
    texts,
    textColumn,
  }: {
    readonly workingDirectory: string;
    readonly texts: TextPlace | undefined;
    readonly textColumn: string | undefined;
  },
) {
  const path = resolve(workingDirectory, file);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const unpacked = isFolder ? undefined : await unpackedFolder(file, { workingDirectory });
  if (unpacked !== undefined) refuseTexts(texts, file);
  const directory = isFolder ? path : unpacked;
  if (directory === undefined) return undefined;
  return { directory, ...(await openImageFolder(directory, { place: texts, textColumn })) };
}

async function keptStream({ stdin }: Pick<Environment, "stdin">): Promise<() => TableSource> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(piece);
  return () => ({
    name: "standard input",
    bytes: (async function* () {
      yield* pieces;
    })(),
  });
}

/** Names to the names in the table, as --map has them. */
type NameMap = Readonly<Record<string, string>>;

const isIn = (columns: ReadonlySet<string>, map: NameMap) => (name: string) =>
  columns.has(map[name] ?? name);

/** Whether a table can be read for a task. */
function serves(columns: ReadonlySet<string>, map: NameMap, task: JudgingTask): boolean {
  const { images, texts } = taskTables[task];
  const has = isIn(columns, map);
  return images.every(has) && texts.some(has);
}

/** The columns of a table's first row. */
async function columnsOf(source: TableSource): Promise<ReadonlySet<string>> {
  for await (const { all } of readTable({ source, columns: {} })) return new Set(Object.keys(all));
  return new Set();
}

/**
 * Finds the task of labels by their columns. Where they would do for questions and for ratings,
 * the column of answers decides.
 *
 * @throws InputError where they are of no task, or of two.
 */
export async function labelledTask(source: TableSource, map: NameMap): Promise<JudgingTask> {
  const columns = await columnsOf(source);
  const served = judgingTasks.filter((task) => serves(columns, map, task));
  const answered = served.filter((task) => isIn(columns, map)(taskTables[task].label));
  const [task, another] = answered.length > 0 ? answered : served;
  if (task === undefined) throw ofNoTask(source, columns);
  if (another === undefined) return task;
  throw new InputError(
    `Expected labels of one task in ${source.name} but its columns fit ${listText(answered.length > 0 ? answered : served)}`,
    { hint: `Say which is meant: --task ${task}` },
  );
}

/** @throws InputError where a table can't be read for a task, naming the one that it is of. */
export async function checkTask(
  source: TableSource,
  map: NameMap,
  { task, whose }: { readonly task: JudgingTask; readonly whose: string },
): Promise<void> {
  const columns = await columnsOf(source);
  if (serves(columns, map, task)) return;
  const other = judgingTasks.find((one) => serves(columns, map, one));
  // What is missing of a table of the right task, reading it says.
  if (other === undefined) return;
  throw new InputError(
    `Expected ${taskTables[task].item}s (${taskTables[task].columns}) for ${whose}, which is of the task ` +
      `${task}, but ${source.name} holds ${taskTables[other].item}s (${taskTables[other].columns})`,
    { hint: `A judge of them is made by: touchstone calibrate LABELS --task ${other}` },
  );
}

const mostListed = 20;

function ofNoTask({ name }: TableSource, columns: ReadonlySet<string>): InputError {
  const found = [...columns];
  const listed = `${found.slice(0, mostListed).join(", ")}${found.length > mostListed ? ", …" : ""}`;
  const wanted = judgingTasks.map(
    (task) => `${taskTables[task].columns}, ${taskTables[task].label}`,
  );
  return new InputError(
    `Expected the columns ${wanted.join("; or ")} in ${name} but found ${listed}`,
    { hint: "If a column has another name, map it: --map image=my_column" },
  );
}
