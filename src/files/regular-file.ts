import { type Stats, statSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";

/** A file that is left alone: no regular one, or too large. */
export class UnreadableFile extends Error {
  /** The kind of file, as the end of a sentence: "it is a pipe, not a file". */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
    this.reason = reason;
  }
}

/** 8,192 x 8,192 pixels of four times 16 bits as they are, and room for what stands around them. */
export const mostImageBytes = 600e6;

/** Settings, prompts, judges and other texts that a person may have written. */
const mostTextBytes = 64e6;

/**
 * Looks what a path leads to before it is opened: a pipe may never end, a device has no end, and
 * opening either may already wait or do something. Links are followed.
 *
 * @throws UnreadableFile for what is neither a file nor a folder, or has more than `mostBytes`; the
 *   system's error where there is nothing.
 */
export async function checkRegular(
  path: string,
  { mostBytes = Number.POSITIVE_INFINITY }: { readonly mostBytes?: number } = {},
): Promise<void> {
  refuse(await stat(path), mostBytes);
}

/**
 * `checkRegular`, but a pipe may be read: a shell puts one where a command's output is named as a file
 * (`analyze contrastive <(zcat scores.csv.gz)`).
 */
export async function checkRegularOrPipe(path: string): Promise<void> {
  const found = await stat(path);
  if (!found.isFIFO()) refuse(found, Number.POSITIVE_INFINITY);
}

/** `checkRegular` for who may not wait. */
export function checkRegularNow(path: string): void {
  refuse(statSync(path), mostTextBytes);
}

/** The bytes of a file. @throws as `checkRegular`, and the system's error for a folder */
export async function readRegularFile(
  path: string,
  limits: { readonly mostBytes: number },
): Promise<Buffer> {
  await checkRegular(path, limits);
  return readFile(path);
}

/** The bytes of a file, to `giveBack`. @throws as `readRegularFile` */
export async function readForAWhile(
  path: string,
  { mostBytes }: { readonly mostBytes: number },
): Promise<Buffer> {
  const found = await stat(path);
  refuse(found, mostBytes);
  const file = await open(path);
  try {
    const bytes = takeBytes(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return bytesRead === found.size ? bytes : await file.readFile();
  } finally {
    await file.close();
  }
}

/** The text of a file, in UTF-8. @throws as `readRegularFile` */
export async function readTextFile(path: string): Promise<string> {
  return (await readRegularFile(path, { mostBytes: mostTextBytes })).toString("utf8");
}

function refuse(found: Stats, mostBytes: number): void {
  const kind = kindOf(found);
  if (kind !== undefined) throw new UnreadableFile(`it is ${kind}, not a file`);
  if (found.isFile() && found.size > mostBytes) {
    const [has, may] = [found.size, mostBytes].map((size) => `${(size / 1e6).toFixed(0)} MB`);
    throw new UnreadableFile(`it has ${has}, and more than ${may} are not read`);
  }
}

function kindOf(found: Stats): string | undefined {
  if (found.isFIFO()) return "a pipe";
  if (found.isSocket()) return "a socket";
  return found.isCharacterDevice() || found.isBlockDevice() ? "a device" : undefined;
}

/** What stands at a path; undefined where nothing does, or where it can't be looked at. */
export const kindAt = (path: string): Promise<"folder" | "file" | "other" | undefined> =>
  stat(path).then(
    (found) => (found.isDirectory() ? "folder" : found.isFile() ? "file" : "other"),
    () => undefined,
  );

// Clearing fresh memory for a file of half a megabyte takes as long as reading it, and makes the garbage collector run.
const largest = 16e6;
/** Sizes are rounded up to this many bytes, so that files of similar sizes can use the same buffer. */
const step = 2 ** 18;
const mostFree = 8;
const free: Buffer[] = [];

/** Lends a buffer with arbitrary content. Call `giveBack` when nothing reads it any more. */
export function takeBytes(size: number): Buffer {
  const at = free.findIndex(({ length }) => length >= size);
  const [found] = at < 0 ? [] : free.splice(at, 1);
  return (found ?? Buffer.allocUnsafeSlow(Math.ceil(size / step) * step)).subarray(0, size);
}

/** Keeps a buffer of `takeBytes` for the next call. Buffers from elsewhere, such as Node.js's shared pool, are ignored. */
export function giveBack(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer.byteLength > largest || buffer.byteLength % step !== 0 || buffer.byteLength === 0)
    return;
  if (free.length === mostFree) free.shift();
  free.push(Buffer.from(buffer));
}
