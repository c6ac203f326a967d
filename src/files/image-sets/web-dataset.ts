import { createReadStream } from "node:fs";
import { InputError } from "../../core/errors.js";
import { jsonOrNone } from "../../core/read-json.js";
import { mostImageBytes } from "../regular-file.js";
import type { ImageRow } from "./image-rows.js";

const imageEndings = ["png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "avif"];
/** Texts beside an image are captions and what is known of it. */
const mostTextBytes = 16e6;

/**
 * The samples of a WebDataset shard: members that follow each other and have one name up to the first dot.
 * `.txt` and the like are texts by their endings, the members of `.json` are columns.
 *
 * @throws InputError as `tarMembers` does; for a sample without an image, and JSON that is none.
 */
export async function* webDatasetRows(path: string, name: string): AsyncGenerator<ImageRow> {
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
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
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
