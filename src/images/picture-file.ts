import { basename, dirname, extname, join } from "node:path";
import type { Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { systemCode } from "../files/file-error.js";
import { kindAt, mostImageBytes, readRegularFile, UnreadableFile } from "../files/regular-file.js";
import { openPicture } from "./picture.js";

/**
 * Opens an image file.
 *
 * @param name what to call it in messages; the path where not given
 * @throws NoAnswer "bad-input" naming the path, where there is no such file or no image in it.
 */
export async function openPictureFile(path: string, name = path): Promise<Picture> {
  return openPicture(await readPictureFile(path, name), name);
}

/** The bytes of an image file. @throws NoAnswer "bad-input" naming the path, where there is no such file. */
export const readPictureFile = (
  path: string,
  name: string,
  read: typeof readRegularFile = readRegularFile,
): Promise<Buffer> =>
  read(path, { mostBytes: mostImageBytes }).catch(async (cause: unknown) => {
    const reason = reasonOf(cause);
    const other = reason === missing ? await otherSpelling(path, name) : undefined;
    const why = other === undefined ? reason : `${reason}; ${other}`;
    throw new NoAnswer("bad-input", `Can't read ${name}: ${why}`, { cause });
  });

const missing = "there is no such file";

function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableFile) return cause.reason;
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR") return missing;
  if (code === "EISDIR") return "it is a folder";
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Opens what a generator made.
 *
 * @throws NoAnswer "provider-error" for what is no image: that is the generator's fault.
 */
export async function openGenerated(bytes: Uint8Array): Promise<Picture> {
  try {
    return await openPicture(bytes, "the generated image");
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause;
    throw new NoAnswer("provider-error", cause.message, { cause });
  }
}

/**
 * Says by which other name a file that is missing is there, or what is odd about its own: a path as Windows writes it,
 * another form of accents, another case. Undefined where nothing tells.
 *
 * @param path the file's path; `name` as its table has it.
 */
export async function otherSpelling(path: string, name: string): Promise<string | undefined> {
  if (/^([A-Za-z]:[\\/]|\\\\)/.test(name)) {
    return "it is a path of Windows; name the file as seen from the table, with / between folders";
  }
  if (/^https?:/i.test(name)) return "it is an address: download the images first";
  if (name.includes("\\")) {
    const plain = name.replaceAll("\\", "/");
    return (await isFile(path.replaceAll("\\", "/")))
      ? `it is there as ${plain}: write / for \\, as all systems read it`
      : "folders are separated by /, not by \\";
  }
  const own = basename(path);
  for (const form of ["NFC", "NFD"] as const) {
    if (own !== own.normalize(form) && (await isFile(join(dirname(path), own.normalize(form))))) {
      return `a file is there whose accents are written in another form (${form} of Unicode): write the name in the same form`;
    }
  }
  const ending = extname(own);
  const stem = own.slice(0, own.length - ending.length);
  for (const other of [
    own.toLowerCase(),
    stem + ending.toUpperCase(),
    stem + ending.toLowerCase(),
  ]) {
    if (other !== own && (await isFile(join(dirname(path), other))))
      return `it is there as ${other}`;
  }
  return undefined;
}

const isFile = async (path: string) => (await kindAt(path)) === "file";
