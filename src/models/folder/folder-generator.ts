import { join } from "node:path";
import type { ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { fileError } from "../../files/file-error.js";
import { outsideProblem } from "../../files/outside.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import { openPicture } from "../../images/picture.js";
import type { ImageIndex } from "./image-index.js";

/**
 * Images that were made elsewhere, by whatever tool, as a generator: it looks up the image that is
 * asked for. A run refers to the files and keeps no copy of them.
 *
 * @param name what the folder is called in records
 * @param allowOutside whether links in the folder may lead out of it
 * @param embed whether the run keeps copies after all
 * @throws from `generate`: NoAnswer "not-applicable", to be asked again, where there is no such image;
 *   "bad-input" where the file is no image, or, to be asked again, where a link leads out of the folder.
 */
export function folderGenerator({
  directory,
  index,
  name = directory,
  embed = false,
  allowOutside = false,
}: {
  readonly directory: string;
  readonly index: ImageIndex;
  readonly name?: string | undefined;
  readonly embed?: boolean;
  readonly allowOutside?: boolean;
}): ImageGenerator {
  return {
    identity: { provider: "folder", model: name },
    async generate({ prompt, place }, options) {
      options?.signal?.throwIfAborted();
      const found = index.fileOf({ text: prompt, place });
      if (found === undefined) {
        const which =
          place === undefined ? prompt : `${place.prompt}-${place.role}-${place.sample}`;
        // It may be put there any time.
        throw new NoAnswer("not-applicable", `${name} has no image for ${which}`, {
          retryable: true,
        });
      }
      const file = join(directory, found);
      const outside = allowOutside ? undefined : await outsideProblem(file, [directory]);
      if (outside !== undefined) {
        throw new NoAnswer("bad-input", `Can't read ${name}/${found}: ${outside}`, {
          retryable: true,
        });
      }
      const bytes = await readRegularFile(file, { mostBytes: mostImageBytes }).catch(
        (error: unknown) => {
          throw fileError(error, "read", file);
        },
      );
      await openPicture(bytes, `${name}/${found}`);
      return { bytes, ...(embed ? {} : { file }) };
    },
  };
}
