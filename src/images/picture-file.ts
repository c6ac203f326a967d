import { readFile } from "node:fs/promises";
import type { Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { systemCode } from "../files/file-error.js";
import { openPicture } from "./picture.js";

/**
 * Opens an image file.
 *
 * @throws NoAnswer "bad-input" naming the path, where there is no such file or no image in it.
 */
export async function openPictureFile(path: string): Promise<Picture> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new NoAnswer("bad-input", `Can't read ${path}: ${reasonOf(cause)}`, { cause });
  });
  return openPicture(bytes, path);
}

function reasonOf(cause: unknown): string {
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return cause instanceof Error ? cause.message : String(cause);
}
