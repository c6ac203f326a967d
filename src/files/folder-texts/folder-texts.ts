import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { someAtATime } from "../../core/all-ended.js";
import { InputError } from "../../core/errors.js";
import { isPlainObject, type JsonObject } from "../../core/json.js";
import { listText } from "../../core/phrases.js";
import { jsonOrNone } from "../../core/read-json.js";
import { readTable } from "../read-table.js";
import { readTextFile } from "../regular-file.js";
import { promptInImage, promptOfParameters } from "./image-prompt.js";

/**
 * Where a folder without a table holds the texts of its images. "order": in a table that names no images, whose rows
 * are paired with them by number.
 */
export const textPlaces = ["folder", "beside", "names", "png", "order"] as const;
export type TextPlace = (typeof textPlaces)[number];

/** An image's text, with what else is known of it. */
interface ImageText {
  readonly image: string;
  /** Empty where there is none. */
  readonly text: string;
  readonly others?: JsonObject;
}

/** How the texts of a folder are asked for. */
export interface TextRequest {
  /** Default: the one place that has a text for every image. */
  readonly place?: TextPlace | undefined;
  /** The column of the text, for "order". */
  readonly textColumn?: string | undefined;
  /** Whether images without a text come back without one. */
  readonly skipMissing?: boolean;
}

export interface FolderTexts {
  readonly place: TextPlace;
  readonly texts: readonly ImageText[];
  /** How they were read, as a sentence without a full stop. */
  readonly note: string;
}

interface Folder {
  readonly path: string;
  /** Relative to the folder, "/" between parts. */
  readonly images: readonly string[];
  readonly files: ReadonlySet<string>;
}

type Reader = (folder: Folder) => Promise<readonly ImageText[]>;

const readers: Readonly<Record<Exclude<TextPlace, "order">, Reader>> = {
  folder: textsOfFolders,
  beside: textsBeside,
  png: textsInPng,
  names: async ({ images }) => images.map((image) => ({ image, text: textOfName(image) })),
};

const notes: Readonly<Record<TextPlace, string>> = {
  folder: "Reading one text for all images of a folder, from its metadata.jsonl or prompt.txt",
  beside: "Reading each image's text from the file beside it",
  png: "Reading each image's text from the prompt that its generator wrote into the file",
  names: "Reading each image's text from its file's name",
  order: "Pairing the rows of the table with the images by their numbers",
};

/**
 * The texts of a folder's images where no metadata.jsonl names the images: where `place` says, else in the one
 * place that has a text for every image. Rows of a table go with numbered images only where `place` is "order".
 *
 * @returns undefined where no place was given and none has a text for any image.
 * @throws InputError where images lack a text there, or several places say different texts.
 */
export async function folderTexts(
  {
    path,
    images,
    files,
  }: { readonly path: string } & Readonly<Record<"images" | "files", readonly string[]>>,
  { place, textColumn, skipMissing = false }: TextRequest = {},
): Promise<FolderTexts | undefined> {
  if (images.length === 0) return undefined;
  const folder = { path, images, files: new Set(files) };
  if (place === "order") {
    return { place, texts: await textsInOrder(folder, textColumn), note: notes.order };
  }
  if (place !== undefined) {
    const texts = await readers[place](folder);
    if (!skipMissing) refuseMissing(path, texts, place);
    return { place, texts, note: notes[place] };
  }
  const found: FolderTexts[] = [];
  for (const each of ["folder", "beside", "png"] as const) {
    const texts = await readers[each](folder);
    if (texts.some(({ text }) => text !== ""))
      found.push({ place: each, texts, note: notes[each] });
  }
  if (found.length === 0 && images.every(isSentence)) {
    found.push({ place: "names", texts: await readers.names(folder), note: notes.names });
  }
  const whole = found.filter(({ texts }) => texts.every(({ text }) => text !== ""));
  const [first] = whole;
  if (first === undefined) {
    for (const { texts, place: tried } of found) refuseMissing(path, texts, tried);
    return undefined;
  }
  const saying = ({ texts }: FolderTexts) => JSON.stringify(texts.map(({ text }) => text));
  if (whole.every((other) => saying(other) === saying(first))) {
    return first;
  }
  throw new InputError(`Expected one text for each image in ${path} but found several`, {
    hint: `Say which: ${whole.map((one) => `--texts ${one.place}`).join(" or ")}`,
  });
}

function refuseMissing(path: string, texts: readonly ImageText[], place: TextPlace): void {
  const missing = texts.filter(({ text }) => text === "").map(({ image }) => image);
  if (missing.length === 0) return;
  throw new InputError(
    `Expected a text for each image in ${path} but ${missing.length} of ${texts.length} have none: ` +
      listText(missing.slice(0, 3)),
    { hint: `To score the others: --texts ${place} --skip-bad` },
  );
}

/** One row of metadata.jsonl, or prompt.txt, for all images of a folder, as GenEval has them; its grid is no sample. */
async function textsOfFolders({ path, images, files }: Folder): Promise<ImageText[]> {
  const known = new Map<string, Omit<ImageText, "image"> | undefined>();
  const found: ImageText[] = [];
  for (const image of images) {
    const folders = ancestorsOf(image);
    const about = folders.find((one) => namesOf(one).some((name) => files.has(name)));
    if (about === undefined) {
      found.push({ image, text: "" });
      continue;
    }
    const inside = image.slice(about === "" ? 0 : about.length + 1);
    const hasSamples = images.some((one) => one.startsWith(`${about}/samples/`));
    if (hasSamples && !inside.startsWith("samples/")) continue;
    if (!known.has(about)) known.set(about, await textOfFolder(path, about, files));
    found.push({ image, ...(known.get(about) ?? { text: "" }) });
  }
  return found;
}

const namesOf = (folder: string) =>
  ["metadata.jsonl", "prompt.txt"].map((name) => (folder === "" ? name : `${folder}/${name}`));

function ancestorsOf(image: string): string[] {
  const parts = image.split("/").slice(0, -1);
  return [...parts.keys()].map((at) => parts.slice(0, parts.length - at).join("/"));
}

async function textOfFolder(
  path: string,
  folder: string,
  files: ReadonlySet<string>,
): Promise<Omit<ImageText, "image"> | undefined> {
  const [metadata = "", prompt = ""] = namesOf(folder);
  if (!files.has(metadata)) return { text: await textFile(join(path, prompt)) };
  const [row, ...more] = (await textFile(join(path, metadata))).split("\n").filter(Boolean);
  const value = more.length > 0 ? undefined : objectOf(row ?? "");
  if (value === undefined || "file_name" in value) return undefined;
  const { prompt: said, text = said, ...others } = value;
  return typeof text === "string" ? { text: text.trim(), others } : undefined;
}

/** Whether a metadata.jsonl is of a folder (one row, with a prompt and no file_name) and none of its images. */
export async function isAboutFolder(path: string): Promise<boolean> {
  const [row, ...more] = (await textFile(path).catch(() => "")).split("\n");
  const value = more.length > 0 ? undefined : objectOf(row ?? "");
  return value !== undefined && !("file_name" in value) && ("prompt" in value || "text" in value);
}

function objectOf(text: string): JsonObject | undefined {
  const value = jsonOrNone(text);
  return isPlainObject(value) ? (value as JsonObject) : undefined;
}

/** Files that are read at a time. */
const atATime = 16;

const besideEndings = [".txt", ".caption", ".prompt", ".json"];

/** 0.txt (or .caption, .prompt; caption or prompt of 0.json) beside 0.png, as img2dataset and trainers have them. */
async function textsBeside({ path, images, files }: Folder): Promise<ImageText[]> {
  const textOf = async (image: string): Promise<ImageText> => {
    const stem = image.slice(0, image.length - extname(image).length);
    const name = besideEndings
      .flatMap((ending) => [`${stem}${ending}`, `${image}${ending}`])
      .find((one) => files.has(one));
    if (name === undefined) return { image, text: "" };
    const text = await textFile(join(path, name));
    if (!name.endsWith(".json")) return { image, text: promptOfParameters(text)?.trim() ?? text };
    const { text: said, caption = said, prompt = caption } = objectOf(text) ?? {};
    return { image, text: typeof prompt === "string" ? prompt.trim() : "" };
  };
  return someAtATime(images, textOf, { atATime });
}

async function textsInPng({ path, images }: Folder): Promise<ImageText[]> {
  const textOf = async (image: string): Promise<ImageText> => ({
    image,
    text: (await promptInImage(join(path, image)).catch(() => undefined)) ?? "",
  });
  return someAtATime(images, textOf, { atATime });
}

const textFile = async (path: string) => (await readTextFile(path)).replace(/^\uFEFF/, "").trim();

/** A file's name without its ending and a number at its end: `a red cup_000003.png`, as T2I-CompBench has them. */
function textOfName(image: string): string {
  const name =
    image
      .slice(0, image.length - extname(image).length)
      .split("/")
      .at(-1) ?? "";
  const text = name.replace(/(?:[ _-]+\d+| ?\(\d+\))$/, "");
  return (text.includes(" ") ? text : text.replaceAll(/[_-]+/g, " ")).trim();
}

/** Whether a name is unmistakably words: three or more with spaces between, none of digits alone. */
const isSentence = (image: string) => {
  const name = image.split("/").at(-1) ?? "";
  const words = textOfName(image).split(/\s+/);
  return (
    name.includes(" ") &&
    words.filter((word) => /^\p{L}[\p{L}\p{M}'’,.;:-]*$/u.test(word)).length >= 3
  );
};

/** Rows of the folder's one table with the images that are numbered from 0 or 1. */
async function textsInOrder(
  { path, images }: Folder,
  textColumn: string | undefined,
): Promise<ImageText[]> {
  const tables = (await readdir(path)).filter((name) =>
    /\.(csv|tsv|jsonl|json|parquet)$/i.test(name),
  );
  const [table] = tables;
  if (table === undefined || tables.length > 1) {
    throw new InputError(
      `Expected one table of texts in ${path} for --texts order but found ${listText(tables) || "none"}`,
    );
  }
  const rows: ImageText[] = [];
  const source = { name: join(path, table), path: join(path, table) };
  for await (const { all, line, isText } of readTable({ source, columns: {} })) {
    const column =
      textColumn ??
      Object.keys(all).find((name) => /^(text|prompt|caption|description)s?$/i.test(name));
    const text = column === undefined ? undefined : all[column];
    if (typeof text !== "string" || text.trim() === "") {
      throw new InputError(
        `Expected a text in each row for --texts order (in ${table}, line ${line})`,
        {
          hint: "Name its column: --map text=my_column",
        },
      );
    }
    const others = Object.entries(all)
      .filter(([name]) => name !== column)
      .map(([name, cell]) => [name, isText && isPlainNumber(cell) ? Number(cell) : cell]);
    rows.push({ image: "", text: text.trim(), others: Object.fromEntries(others) as JsonObject });
  }
  const numbered = images
    .map((image) => ({
      image,
      number: Number(/^\D*(\d+)\D*$/.exec(stemOf(image))?.[1] ?? Number.NaN),
    }))
    .sort((one, other) => one.number - other.number);
  const first = numbered[0]?.number ?? Number.NaN;
  const isInOrder = numbered.every(({ number }, at) => number === first + at) && first <= 1;
  if (!isInOrder || numbered.length !== rows.length) {
    throw new InputError(
      `Expected an image for each of the ${rows.length} rows of ${table}, numbered from 0 or 1, but found ` +
        `${images.length} image${images.length === 1 ? "" : "s"}, such as ${images[0]}`,
      { hint: "Name the image in each row: a column file_name" },
    );
  }
  return rows.map((row, at) => ({ ...row, image: numbered[at]?.image ?? "" }));
}

/** Whether a text of CSV is a number as JSON holds it, which no name such as 007 is. */
const isPlainNumber = (cell: unknown) =>
  typeof cell === "string" && cell.length < 16 && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell);

const stemOf = (image: string) => basename(image, extname(image));
