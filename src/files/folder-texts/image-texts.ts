import { open } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { eitherText, exifTexts } from "./exif-texts.js";

/** Parts of an image file that are larger hold no prompt, and are passed over. */
const mostBytes = 4e6;

type Read = (position: number, length: number) => Promise<Buffer>;
type Texts = ReadonlyMap<string, string>;

/** The texts in an image file, by keyword: in a PNG's chunks before its pixels, or in the Exif of a JPEG or WebP. */
export async function imageTexts(path: string): Promise<Texts> {
  const file = await open(path);
  const read: Read = async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const head = (await read(0, 12)).toString("latin1");
    if (head.startsWith("\x89PNG\r\n\x1A\n")) return await inPng(read);
    if (head.startsWith("\xFF\xD8")) return await inJpeg(read);
    if (/^RIFF.{4}WEBP$/s.test(head)) return await inWebp(read);
    return new Map();
  } finally {
    await file.close();
  }
}

async function inPng(read: Read): Promise<Texts> {
  const texts = new Map<string, string>();
  for (let at = 8; ; ) {
    const head = await read(at, 8);
    const type = head.toString("latin1", 4);
    if (head.length < 8 || type === "IDAT" || type === "IEND") return texts;
    const length = head.readUInt32BE();
    if (/^(tEXt|zTXt|iTXt)$/.test(type) && length <= mostBytes) {
      const [keyword, text] = textOf(type, await read(at + 8, length)) ?? [];
      if (keyword !== undefined && text !== undefined) texts.set(keyword, text);
    }
    at += 12 + length;
  }
}

/** Of a JPEG the first segment of Exif (APP1) before the pixels. */
async function inJpeg(read: Read): Promise<Texts> {
  for (let at = 2; ; ) {
    const head = await read(at, 10);
    const [mark, kind] = head;
    if (head.length < 10 || mark !== 0xff || kind === 0xda) return new Map();
    const length = head.readUInt16BE(2);
    if (kind === 0xe1 && head.toString("latin1", 4) === "Exif\0\0") {
      return exifTexts(await read(at + 10, length - 8));
    }
    at += 2 + length;
  }
}

async function inWebp(read: Read): Promise<Texts> {
  for (let at = 12; ; ) {
    const head = await read(at, 8);
    if (head.length < 8) return new Map();
    const length = head.readUInt32LE(4);
    if (head.toString("latin1", 0, 4) === "EXIF" && length <= mostBytes) {
      const exif = await read(at + 8, length);
      return exifTexts(exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif);
    }
    at += 8 + length + (length % 2);
  }
}

/** A keyword and its text; undefined where the chunk is damaged. */
function textOf(type: string, chunk: Buffer): [keyword: string, text: string] | undefined {
  const end = chunk.indexOf(0);
  if (end < 0) return undefined;
  const keyword = chunk.toString("latin1", 0, end);
  const rest = chunk.subarray(end + 1);
  try {
    if (type === "tEXt") return [keyword, eitherText(rest)];
    if (type === "zTXt") return [keyword, eitherText(inflated(rest.subarray(1)))];
    const language = rest.indexOf(0, 2);
    const text = rest.subarray(rest.indexOf(0, language + 1) + 1);
    return [keyword, (rest[0] === 1 ? inflated(text) : text).toString("utf8")];
  } catch {
    return undefined;
  }
}

const inflated = (bytes: Uint8Array) => inflateSync(bytes, { maxOutputLength: mostBytes });
