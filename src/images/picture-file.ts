import type { Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { systemCode } from "../files/file-error.js";
import { mostImageBytes, readRegularFile, UnreadableFile } from "../files/regular-file.js";
import { otherSpelling } from "./other-spelling.js";
import { openPicture } from "./picture.js";

/**
 * Opens an image file.
 *
 * @param name what to call it in messages; the path where not given
 * @throws NoAnswer "bad-input" naming the path, where there is no such file or no image in it.
 */
export async function openPictureFile(path: string, name = path): Promise<Picture> {
  const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(
    async (cause: unknown) => {
      const reason = reasonOf(cause);
      const other = reason === missing ? await otherSpelling(path, name) : undefined;
      const why = other === undefined ? reason : `${reason}; ${other}`;
      throw new NoAnswer("bad-input", `Can't read ${name}: ${why}`, { cause });
    },
  );
  return openPicture(bytes, name);
}

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
