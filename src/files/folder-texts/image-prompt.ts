import { open } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { jsonOrNone } from "../../core/read-json.js";

/**
 * The prompt that a program wrote into a PNG, JPEG or WebP that it generated: A1111 and its kin (`parameters`, or
 * Exif's comment), ComfyUI (`prompt`, a graph, where one text alone leads to its samplers), InvokeAI
 * (`invokeai_metadata`) and NovelAI (`Description`).
 *
 * @returns undefined for another file, and where nothing says one prompt.
 */
export async function promptInImage(path: string): Promise<string | undefined> {
  const texts = await imageTexts(path);
  const of = (name: string) => texts.get(name);
  const parameters = of("parameters");
  const found =
    (parameters === undefined ? undefined : promptOfParameters(parameters)) ??
    promptOfGraph(jsonOrNone(of("prompt"))) ??
    memberOf(jsonOrNone(of("invokeai_metadata")), "positive_prompt") ??
    (of("Software") === "NovelAI" ? of("Description") : undefined);
  const prompt = typeof found === "string" ? found.trim() : "";
  return prompt === "" ? undefined : prompt;
}

/** Where the settings begin in what A1111 writes behind a prompt. */
const settings = /\n(?:Negative prompt: |Steps: \d)/;

/** The prompt of a text as A1111 writes it into images, and into files beside them; undefined where it is none. */
export function promptOfParameters(text: string): string | undefined {
  const whole = text.replaceAll("\r\n", "\n").trim();
  const asJson = memberOf(jsonOrNone(whole), "prompt");
  if (typeof asJson === "string") return asJson;
  const at = whole.search(settings);
  return at < 0 || !/^Steps: \d+/m.test(whole) ? undefined : whole.slice(0, at);
}

/** The text that leads to every sampler of a graph of ComfyUI's; undefined where there are several. */
function promptOfGraph(graph: unknown): string | undefined {
  if (typeof graph !== "object" || graph === null) return undefined;
  const inputsOf = (node: unknown) => memberOf(memberOf(graph, String(node)), "inputs");
  const textAt = (link: unknown, seen: readonly unknown[] = []): string | undefined => {
    if (typeof link === "string") return link;
    if (!Array.isArray(link) || seen.includes(link[0])) return undefined;
    const inputs = inputsOf(link[0]);
    const next = [...seen, link[0]];
    for (const name of ["text", "conditioning", "positive", "string", "value"]) {
      const found = textAt(memberOf(inputs, name), next);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const starts = Object.keys(graph).flatMap((node) => {
    const inputs = inputsOf(node);
    // A guider or a sampler; what stands between takes conditioning.
    const isSampler = /sampler|guider/i.test(String(memberOf(memberOf(graph, node), "class_type")));
    return isSampler
      ? [memberOf(inputs, "positive") ?? memberOf(inputs, "conditioning")].filter(Array.isArray)
      : [];
  });
  const texts = starts.map((link) => textAt(link));
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([one]) => one === name)?.[1]
    : undefined;

/** Parts of an image file that are larger hold no prompt, and are passed over. */
const mostBytes = 4e6;

type Read = (position: number, length: number) => Promise<Buffer>;
type Texts = ReadonlyMap<string, string>;

/** The texts in an image file, by keyword: in a PNG's chunks before its pixels, or in the Exif of a JPEG or WebP. */
async function imageTexts(path: string): Promise<Texts> {
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

/** Tags of Exif and TIFF that hold what is asked for. */
const exifTag = 0x8769;
const commentTag = 0x9286;

const asciiType = 2;
/** Where a comment says nothing of its kind, it is text, too. */
const commentTypes = [1, asciiType, 7];

/**
 * The texts in an image's Exif: its comment as `parameters`, where A1111 and its kin write what PNGs have in a chunk of
 * that name; and what ComfyUI writes into any tag as `prompt:…`, as `prompt`.
 *
 * @param exif from the header of TIFF on.
 * @returns an empty map where the Exif is damaged.
 */
function exifTexts(exif: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  try {
    const isBig = exif.toString("latin1", 0, 2) === "MM";
    const short = (at: number) => (isBig ? exif.readUInt16BE(at) : exif.readUInt16LE(at));
    const long = (at: number) => (isBig ? exif.readUInt32BE(at) : exif.readUInt32LE(at));
    const directories = [long(4)];
    for (let which = 0; which < Math.min(directories.length, 2); which++) {
      const start = directories[which] ?? 0;
      for (let entry = 0; entry < short(start); entry++) {
        const at = start + 2 + entry * 12;
        const [tag, type, count] = [short(at), short(at + 2), long(at + 4)];
        const place = count > 4 ? long(at + 8) : at + 8;
        const bytes = exif.subarray(place, place + count);
        if (tag === exifTag) directories.push(long(at + 8));
        else if (bytes.length < count) continue;
        else if (tag === commentTag && commentTypes.includes(type)) {
          texts.set("parameters", commentIn(bytes, isBig));
        } else if (type === asciiType) {
          const [, keyword, text] = /^(prompt): ?(.*?)\0*$/s.exec(eitherText(bytes)) ?? [];
          if (keyword !== undefined && text !== undefined) texts.set(keyword, text);
        }
      }
    }
  } catch (error) {
    // A place beyond the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return texts;
}

/** A comment behind the eight bytes that name its characters; some programs write none. */
function commentIn(bytes: Buffer, isBig: boolean): string {
  const kind = bytes.toString("latin1", 0, 8);
  if (/^(ASCII|UNICODE|JIS)?\0+$/.test(kind)) {
    const text = bytes.subarray(8);
    return trimmed(kind.startsWith("UNICODE") ? unicodeText(text, isBig) : eitherText(text));
  }
  return trimmed(eitherText(bytes));
}

/** UTF-16 in either order, whichever the header says, since programs differ: half of a Latin letter is 0. */
function unicodeText(bytes: Buffer, isBig: boolean): string {
  const zeros = (from: number) => bytes.filter((byte, at) => at % 2 === from && byte === 0).length;
  const [first, second] = [zeros(0), zeros(1)];
  if (first + second === 0) return eitherText(bytes);
  const isBigText = first === second ? isBig : first > second;
  return new TextDecoder(isBigText ? "utf-16be" : "utf-16le").decode(bytes);
}

const trimmed = (text: string) => text.replace(/\0+$/, "");

/** Latin-1 by the standard, UTF-8 as many programs write it. */
function eitherText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}
