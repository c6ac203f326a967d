import { readdir } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { InputError } from "../core/errors.js";
import { listText } from "../core/phrases.js";
import { fileError, systemCode } from "./file-error.js";
import {
  type FolderTexts,
  folderTexts,
  isAboutFolder,
  type TextPlace,
  type TextRequest,
} from "./folder-texts/folder-texts.js";
import { hiddenRunsName } from "./hidden-runs.js";
import type { TableSource } from "./read-table.js";

/** A folder of images beside a table about them, as Hugging Face's ImageFolder has it. */
export interface ImageFolder {
  /** The table's path, or the folder's where texts were found otherwise. */
  readonly metadata: string;
  /** The table, anew for each reading; `file_name` in it is relative to the folder. */
  table(): TableSource;
  /** How texts were found that no table names. */
  readonly note?: string;
  /** Every image file in the folder and below, relative to it, with "/" between folders, sorted. */
  readonly images: readonly string[];
}

export const metadataNames = ["metadata.jsonl", "metadata.csv"] as const;

const imageTypes = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif"]);

/** Formats that people have images in and that are not read: to be refused by name, not to go missing. */
const unreadTypes = new Set([".heic", ".heif", ".jxl", ".jp2", ".bmp", ".psd"]);

/**
 * Looks into a folder of images.
 *
 * @param texts how texts are read elsewhere than in metadata.jsonl or .csv, which goes first unless a place is named.
 * @throws InputError where it is empty, has no texts, or metadata.jsonl and metadata.csv.
 */
export async function openImageFolder(
  folder: string,
  texts: TextRequest = {},
): Promise<ImageFolder> {
  const files = await filesBelow(folder);
  if (files.length === 0) throw new InputError(`The folder ${folder} is empty`);
  const images = files.filter(isImageName);
  const found = metadataNames.filter((name) => files.includes(name));
  const [metadata] = found;
  if (metadata === undefined || texts.place !== undefined) {
    const its = await folderTexts({ path: folder, images, files }, texts);
    if (its !== undefined) return withTexts(folder, its, images);
  }
  if (metadata === undefined) {
    const parts = await unnamedParts(folder);
    if (parts !== undefined) throw parts;
    const table = files.find((name) => /^[^/]+\.(csv|tsv|jsonl|json|parquet)$/i.test(name));
    throw new InputError(
      `Expected ${metadataNames.join(" or ")} in ${folder} but found ${
        images.length === 0
          ? "neither, and no image"
          : `only ${images.length} image${images.length === 1 ? "" : "s"}`
      }`,
      {
        hint:
          images.length > 0 && table !== undefined
            ? `To pair the rows of ${table} with the images by their numbers: --texts order`
            : `One line for each image: {"file_name": "${images[0] ?? "cat.png"}", "text": "a cat"}`,
      },
    );
  }
  if (found.length > 1) {
    throw new InputError(`Expected ${metadataNames.join(" or ")} in ${folder} but found both`);
  }
  const path = join(folder, metadata);
  return { metadata: path, table: () => ({ name: path, path }), images };
}

/** A folder whose images have their texts elsewhere; images that none belongs to are named in the note. */
function withTexts(
  folder: string,
  { texts, note }: FolderTexts,
  all: readonly string[],
): ImageFolder {
  const lines = texts.map(({ image, text, others }) =>
    JSON.stringify({ ...others, file_name: image, text }),
  );
  const listed = new Set(texts.map(({ image }) => image));
  const [left, ...more] = all.filter((image) => !listed.has(image));
  const without =
    left === undefined
      ? ""
      : `. ${more.length + 1} further image${more.length === 0 ? "" : "s"}, such as ${left}, belong${more.length === 0 ? "s" : ""} to no text`;
  return {
    metadata: folder,
    images: [...listed],
    note: `${note}${without}`,
    table: () => ({
      name: folder,
      bytes: (async function* () {
        yield new TextEncoder().encode(`${lines.join("\n")}\n`);
      })(),
    }),
  };
}

/** Why a folder is none of images but has parts that are, which have to be named: splits, or files that hold images. */
export async function unnamedParts(folder: string): Promise<InputError | undefined> {
  const splits = await splitsOf(folder);
  if (splits.length > 0) {
    return new InputError(
      `Expected one folder of images but ${folder} has the splits ${listText(splits)}`,
      { hint: `Name one of them: ${join(folder, splits.find(isForFitting) ?? splits[0] ?? "")}` },
    );
  }
  const files = await filesBelow(folder);
  if (files.some((name) => name.endsWith("dataset_info.json")) && files.some(isArrowName)) {
    return new InputError(
      `Expected files of images in ${folder} but found Arrow files, as save_to_disk writes them`,
      { hint: 'Write Parquet in Python: load_from_disk(…)["train"].to_parquet("train.parquet")' },
    );
  }
  const patterns = [...new Set(files.filter(isSetName).map(patternOf))];
  if (patterns.length === 0) return undefined;
  const first = patterns.find((pattern) => isForFitting(basename(pattern))) ?? patterns[0] ?? "";
  return new InputError(
    `Expected files of images in ${folder} but found files that hold images: ${listText(patterns)}`,
    { hint: `Name them: '${join(folder, first)}'` },
  );
}

const isArrowName = (name: string) => name.endsWith(".arrow");
const isSetName = (name: string) => /\.(parquet|tar)$/i.test(name);
/** Shards of one split, as `datasets` and `webdataset` number them. */
const patternOf = (name: string) => name.replace(/-?\d+(?:-of-\d+)?(?=\.\w+$)/, "*");
const isForFitting = (split: string) => split.startsWith("train");

/** The folders in a folder without a table of its own that have one each: train, validation, test. */
export async function splitsOf(folder: string): Promise<string[]> {
  const has = async (path: string) => {
    const names: string[] = await readdir(path).catch(() => []);
    const found = metadataNames.filter((name) => names.includes(name));
    if (found.length !== 1 || found[0] !== "metadata.jsonl") return found.length > 0;
    return !(await isAboutFolder(join(path, found[0])));
  };
  if (await has(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(folders.map((name) => has(join(folder, name))));
  return folders.filter((_, at) => found[at]).sort();
}

/**
 * The tables of a folder of images, or of each of its splits.
 *
 * @throws InputError as `openImageFolder` does.
 */
export async function imageTables(
  folder: string,
  texts?: TextRequest,
): Promise<(Pick<ImageFolder, "metadata" | "table" | "note"> & { readonly split: string })[]> {
  const splits = texts?.place === undefined ? await splitsOf(folder) : [];
  const names = splits.length === 0 ? [""] : splits;
  return Promise.all(
    names.map(async (split) => ({ split, ...(await openImageFolder(join(folder, split), texts)) })),
  );
}

/** @throws InputError where a place of texts is named for something that is no folder. */
export function refuseTexts(texts: TextPlace | undefined, source: string): void {
  if (texts === undefined) return;
  throw new InputError(`Expected a folder of images for --texts ${texts} but received ${source}`);
}

/** Every image file in a folder and below, as in `ImageFolder`; behind them those of formats that are not read. */
export async function imagesBelow(folder: string): Promise<string[]> {
  const files = await filesBelow(folder);
  const unread = files.filter((name) => unreadTypes.has(extname(name).toLowerCase()));
  return [...files.filter(isImageName), ...unread];
}

const isImageName = (name: string) => imageTypes.has(extname(name).toLowerCase());

/** The images of a folder that says of none what it is to show; undefined where it says so of any, or has no image. */
export async function imagesWithoutTexts(folder: string): Promise<readonly string[] | undefined> {
  const files = await filesBelow(folder);
  const images = files.filter(isImageName);
  if (
    images.length === 0 ||
    files.some((name) => metadataNames.some((one) => one === basename(name)))
  ) {
    return undefined;
  }
  const texts = await folderTexts({ path: folder, images, files });
  return texts === undefined ? images : undefined;
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .filter((name) => !name.startsWith(`${hiddenRunsName}/`))
      .sort();
  } catch (error) {
    if (systemCode(error) === "ENOTDIR") throw new InputError(`${folder} is not a folder`);
    throw fileError(error, "read", folder);
  }
}
