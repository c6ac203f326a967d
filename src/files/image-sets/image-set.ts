import { createReadStream } from "node:fs";
import { extname, resolve } from "node:path";
import type { SchemaTree } from "hyparquet";
import { InputError } from "../../core/errors.js";
import { isPlainObject } from "../../core/json.js";
import { listText } from "../../core/phrases.js";
import { jsonOrNone } from "../../core/read-json.js";
import type { TableBytes } from "../../tables/bytes.js";
import { rowValues } from "../../tables/cells.js";
import { openParquet, readParquetBlocks } from "../../tables/parquet-blocks.js";
import { matchingFiles } from "../matching-files.js";
import { tableBytes } from "../read-table.js";
import { mostImageBytes } from "../regular-file.js";

/** A file that holds images. */
export interface ImageSet {
  readonly name: string;
  readonly path: string;
  /** The column of the image in Parquet, and all columns that hold images. */
  readonly column?: string;
  readonly columns?: readonly string[];
  readonly rows: AsyncIterable<ImageRow>;
}

/**
 * The WebDataset shards (.tar) and Parquet files with a column of images that a path or a pattern means; none
 * where it means something else.
 *
 * @param image the column of the image in Parquet. Default: image, else the first that holds images.
 * @throws InputError where a file is not there, or has images and none in that column.
 */
export async function imageSets(
  source: string,
  workingDirectory: string,
  image?: string,
): Promise<ImageSet[]> {
  if (!/\.(tar|parquet)$/i.test(source)) return [];
  const sets: ImageSet[] = [];
  for (const name of await matchingFiles([source], workingDirectory)) {
    const path = resolve(workingDirectory, name);
    const table = await tableBytes({ name, path }, true);
    if (extname(path).toLowerCase() === ".tar") {
      sets.push({ name, path, rows: webDatasetRows(path, name) });
      continue;
    }
    if (extname(path).toLowerCase() !== ".parquet") return [];
    const columns = await imageColumnsOf(table);
    const [first] = columns;
    if (first === undefined) return [];
    const column = image ?? (columns.includes("image") ? "image" : first);
    if (!columns.includes(column)) {
      throw new InputError(
        `Expected a column of images for --map image=${column} in ${name} but found ${listText(columns)}`,
        { hint: `Such as --map image=${first}` },
      );
    }
    sets.push({ name, path, column, columns, rows: parquetImageRows(table, { column, columns }) });
  }
  return sets;
}

/** Images of one part of the file (row group) are in memory at once. */
const mostGroupBytes = 1_500_000_000;

/**
 * The columns of a Parquet file that hold images as Hugging Face's `datasets` writes them, a structure of
 * bytes and path, or as bytes alone, or lists of such structures, whose images each have the row's text.
 */
async function imageColumnsOf(source: TableBytes): Promise<string[]> {
  try {
    const { root } = await openParquet(source);
    return root.children.filter(isImage).map(({ element }) => element.name);
  } catch (error) {
    // Whoever reads it as a table says what is wrong with it.
    if (error instanceof InputError) return [];
    throw error;
  }
}

function isImage({ element, children }: SchemaTree): boolean {
  const of = element.converted_type === "LIST" ? children[0]?.children[0] : undefined;
  if (of !== undefined) return of.children.length > 0 && isImage(of);
  if (children.length > 0)
    return children.some((child) => child.element.name === "bytes" && isBytes(child));
  return isBytes({ element }) && /image|img|picture|jpe?g|png/i.test(element.name);
}

const isBytes = ({ element }: Pick<SchemaTree, "element">) =>
  element.type === "BYTE_ARRAY" &&
  element.converted_type === undefined &&
  element.logical_type === undefined;

/**
 * The rows of a Parquet file with a column of images, one part of the file in memory at a time.
 *
 * @throws InputError where it is damaged or a part of it is too large.
 */
async function* parquetImageRows(
  source: TableBytes,
  { column, columns: images }: { readonly column: string; readonly columns: readonly string[] },
): AsyncGenerator<ImageRow> {
  const { name } = source;
  const { metadata } = await openParquet(source);
  for (const { columns } of metadata.row_groups) {
    const size = columns.reduce(
      (sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0),
      0,
    );
    if (size > mostGroupBytes) {
      throw new InputError(
        `Expected row groups of at most ${mostGroupBytes / 1e9} GB but one of ${name} has ${(size / 1e9).toFixed(1)} GB`,
        { hint: "Write it with smaller ones: to_parquet(…, batch_size=100)" },
      );
    }
  }
  const asker = {
    names: () => undefined,
    column: (each: string) => ({ isBytes: images.includes(each) }),
  };
  for await (const { count, lines, columns } of readParquetBlocks(source, asker)) {
    for (let row = 0; row < count; row++) {
      const { [column]: image, ...values } = rowValues(columns, row);
      const listed: readonly unknown[] = Array.isArray(image) ? image : [image];
      // An empty list lacks its image, as a null does: its row is told, not left out.
      const all = listed.length > 0 ? listed : [null];
      for (const [at, one] of all.entries()) {
        const { bytes, path: file } = partsOf(one);
        const place = `row ${lines[row]}${all.length > 1 ? `, image ${at + 1}` : ""}`;
        yield { place, image: file ?? `${name} ${place}`, bytes, values };
      }
    }
  }
}

function partsOf(image: unknown): { bytes?: Uint8Array; path?: string } {
  if (image instanceof Uint8Array) return { bytes: image };
  if (typeof image !== "object" || image === null) return {};
  const bytes = "bytes" in image && image.bytes instanceof Uint8Array ? image.bytes : undefined;
  const path = "path" in image && typeof image.path === "string" ? image.path : undefined;
  return {
    ...(bytes === undefined ? {} : { bytes }),
    ...(path === undefined || path === "" ? {} : { path }),
  };
}

const imageEndings = ["png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "avif"];

/** Texts beside an image are captions and what is known of it. */
const mostTextBytes = 16e6;

/**
 * The samples of a WebDataset shard: members that follow each other and have one name up to the first dot.
 * `.txt` and the like are texts by their endings, the members of `.json` are columns.
 *
 * @throws InputError as `tarMembers` does; for a sample without an image, and JSON that is none.
 */
async function* webDatasetRows(path: string, name: string): AsyncGenerator<ImageRow> {
  let key: string | undefined;
  let members: TarMember[] = [];
  for await (const member of tarMembers(path, name)) {
    const file = member.name.split("/").at(-1) ?? "";
    // __MACOSX/._x and ./.hidden are no samples of anybody's.
    if (file.startsWith(".") || !file.includes(".")) continue;
    const its = member.name.slice(0, member.name.length - file.length) + file.split(".", 1)[0];
    if (its !== key && members.length > 0) yield rowOf(members, { key, name });
    if (its !== key) members = [];
    key = its;
    members.push(member);
  }
  if (members.length > 0) yield rowOf(members, { key, name });
}

function rowOf(
  members: readonly TarMember[],
  { key = "", name }: { readonly key: string | undefined; readonly name: string },
): ImageRow {
  const place = `${key} of ${name}`;
  const endingOf = (member: TarMember) => member.name.slice(key.length + 1).toLowerCase();
  const image = members.find((member) => imageEndings.includes(endingOf(member)));
  const values: Record<string, unknown> = { __key__: key };
  for (const member of members) {
    const ending = endingOf(member);
    if (member === image || member.bytes.length > mostTextBytes) continue;
    if (ending === "json") Object.assign(values, jsonOf(member, name));
    else if (["txt", "text", "caption", "prompt", "cls"].includes(ending)) {
      values[ending] = new TextDecoder().decode(member.bytes).trim();
    }
  }
  return { place, image: image?.name ?? key, bytes: image?.bytes, values };
}

function jsonOf({ name: member, bytes }: TarMember, name: string): object {
  const value = jsonOrNone(new TextDecoder().decode(bytes));
  if (isPlainObject(value)) return value;
  throw new InputError(
    `Expected a JSON object for ${member} in ${name} but received something else`,
  );
}

/** A file in an archive. */
interface TarMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const block = 512;

/** The most bytes of a header that names the next member: paths are shorter. */
const mostHeaderBytes = 1e6;

/**
 * Yields the files of a tar archive (POSIX ustar and pax, GNU long names) in order, one in memory at a time.
 *
 * @throws InputError where it is no archive, is cut short or damaged, or holds a link, a device, a path that
 *   leads out of it, or a file that is too large for an image.
 */
export async function* tarMembers(path: string, name: string): AsyncGenerator<TarMember> {
  const bytes = new ExactBytes(path);
  const refused = (what: string, hint?: string) =>
    new InputError(
      `Expected a tar archive of files but ${name} ${what}`,
      hint === undefined ? {} : { hint },
    );
  let named: { path?: string | undefined; size?: number | undefined } = {};
  let members = 0;
  for (;;) {
    const header = await bytes.take(block);
    if (header.length === 0 && members > 0) return;
    if (header.length < block) throw refused(members === 0 ? "is none" : "is cut short");
    if (header.every((byte) => byte === 0)) return;
    if (!isSound(header)) throw refused(members === 0 ? "is none" : "has a damaged header");
    const type = String.fromCharCode(header[156] ?? 0);
    const isAbout = type === "L" || type === "x" || type === "g" || type === "K";
    const size = named.size === undefined || isAbout ? sizeOf(header) : named.size;
    const own = isAbout ? nameOf(header) : (named.path ?? nameOf(header));
    const shown = JSON.stringify(own);
    if (size === undefined) throw refused(`gives no size for ${shown}`);
    if (!isAbout && (own.startsWith("/") || own.split(/[\\/]/).includes(".."))) {
      throw refused(`holds ${shown}, a path out of it`);
    }
    if (!["0", "\0", "5", "7", "L", "x", "g", "K"].includes(type)) {
      const isLink = type === "1" || type === "2";
      throw refused(
        `holds ${shown}, a ${kinds[type] ?? "member of another kind"}`,
        isLink ? "Pack the files themselves: tar --dereference --hard-dereference …" : undefined,
      );
    }
    if (size > (isAbout ? mostHeaderBytes : mostImageBytes)) {
      throw refused(`holds ${shown} of ${(size / 1e6).toFixed(0)} MB, which is too large`);
    }
    const content = await bytes.take(size);
    const padding = await bytes.take((block - (size % block)) % block);
    if (content.length < size || (size + padding.length) % block !== 0) {
      throw refused(`is cut short in ${shown}`);
    }
    members += 1;
    if (type === "L") named = { ...named, path: textOf(content) };
    else if (type === "x") named = { ...named, ...paxOf(content) };
    else if (!isAbout) {
      named = {};
      if (type !== "5") yield { name: own.replace(/^\.\//, ""), bytes: content };
    }
  }
}

const kinds: Readonly<Record<string, string>> = {
  "1": "link",
  "2": "link",
  "3": "device",
  "4": "device",
  "6": "pipe",
  S: "sparse file",
};

/** Text up to the first zero byte. */
const textOf = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, bytes.includes(0) ? bytes.indexOf(0) : undefined));

function nameOf(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = textOf(header.subarray(257, 263)).startsWith("ustar");
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" || header[263] === 0x20 ? name : `${prefix}/${name}`;
}

const octal = (bytes: Uint8Array): number | undefined => {
  const digits = textOf(bytes).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
};

/** A size: octal digits, or base 256 with the highest bit set where they don't suffice. */
function sizeOf(header: Uint8Array): number | undefined {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) === 0) return octal(field);
  return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Compares a header with its checksum: the sum of its bytes, with blanks for the checksum. */
function isSound(header: Uint8Array): boolean {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  return octal(header.subarray(148, 156)) === sum;
}

/** Reads what a pax header says of the next member: lines of `LENGTH NAME=VALUE`. */
function paxOf(content: Uint8Array): { path?: string; size?: number } {
  const said = new Map(
    [...textOf(content).matchAll(/\d+ ([^=\n]+)=([^\n]*)\n/g)].map(
      ([, key = "", value = ""]) => [key, value] as const,
    ),
  );
  const [path, size] = [said.get("path"), said.get("size")];
  return {
    ...(path === undefined ? {} : { path }),
    ...(size === undefined || !/^\d+$/.test(size) ? {} : { size: Number(size) }),
  };
}

/** Reads a file from front to end in pieces of any length. */
class ExactBytes {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Uint8Array = new Uint8Array();

  constructor(path: string) {
    this.#pieces = createReadStream(path, { highWaterMark: 1 << 20 })[Symbol.asyncIterator]();
  }

  /** The next bytes; fewer at the end of the file. */
  async take(count: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#pieces.next();
        if (done === true) break;
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }
}

/** An image with what stands beside it, in a file that holds many. */
export interface ImageRow {
  /** Where it stands, for messages and results: "s/0001 of shard.tar", "row 3". */
  readonly place: string;
  /** The name of the image. */
  readonly image: string;
  /** Its bytes; undefined where they lie in a file of the name `image`, or are missing. */
  readonly bytes: Uint8Array | undefined;
  /** All else by name: columns, or texts of an archive's members. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Names of texts in data sets, the surest first; "txt" is WebDataset's. */
const textNames = ["text", "prompt", "caption", "txt", "description", "title"];

/** Which of some columns holds the text by its name; undefined where none says so. */
export const guessedTextColumn = (columns: readonly string[]): string | undefined =>
  textNames.find((text) => columns.includes(text));

/**
 * Which of some columns holds the text.
 *
 * @throws InputError where none has a name that says so.
 */
export function textColumn(columns: readonly string[], name: string): string {
  const found = guessedTextColumn(columns);
  if (found !== undefined) return found;
  throw new InputError(
    `Expected a column ${textNames.join(", ")} in ${name} but found ${columns.join(", ") || "none"}`,
    { hint: `Name the one with the text: --map text=${columns[0] ?? "my_column"}` },
  );
}
