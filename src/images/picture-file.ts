import type { Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { systemCode } from "../files/file-error.js";
import { mostImageBytes, readRegularFile, UnreadableFile } from "../files/regular-file.js";
import { openPicture } from "./picture.js";

/**
 * Opens an image file.
 *
 * @param name what to call it in messages; the path where not given
 * @throws NoAnswer "bad-input" naming the path, where there is no such file or no image in it.
 */
export async function openPictureFile(path: string, name = path): Promise<Picture> {
  const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(
    (cause: unknown) => {
      throw new NoAnswer("bad-input", `Can't read ${name}: ${reasonOf(cause)}`, { cause });
    },
  );
  return openPicture(bytes, name);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableFile) return cause.reason;
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return cause instanceof Error ? cause.message : String(cause);
}
