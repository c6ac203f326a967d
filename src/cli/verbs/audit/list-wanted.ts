import { resolve } from "node:path";
import { countText, pluralText } from "../../../views/number-text.js";
import { checkOut } from "../../command-line/out-path.js";
import type { Output } from "../../terminal/output.js";
import { wrap } from "../../terminal/wrap.js";
import { type WantedImage, writeWanted } from "../generate/folder-match.js";
import { missingImages } from "./own-images.js";

/** Writes the images that an audit's folders lack as a table to generate them by, elsewhere. */
export async function listWanted(
  file: string,
  {
    folders,
    words,
    workingDirectory,
    output,
  }: {
    readonly folders: Parameters<typeof missingImages>[0];
    /** The words after `touchstone` of the audit itself. */
    readonly words: readonly string[];
    readonly workingDirectory: string;
    readonly output: Output;
  },
): Promise<void> {
  await checkOut(file, { inputs: [], workingDirectory });
  const missing = missingImages(folders);
  await writeWanted(resolve(workingDirectory, file), missing);
  const refined = missing.filter(isRefined).length;
  output.result(
    missing.length === 0
      ? `No image is missing: ${file} has no rows`
      : `${pluralText(missing.length, "image")} missing, ${countText(refined)} of them of refined ` +
          `prompts: ${file}\nGenerate each text, and save the image under its file_name in ${folders.length < 2 ? "the folder" : "its folder"}.`,
  );
  output.resultJson({ wanted: file, images: missing.length, refined });
  output.nextCommand(words);
}

/** Says how many images an audit lacks, and how it goes on. */
export function lackingText(missing: readonly WantedImage[], width: number): string[] {
  if (missing.length === 0) return [];
  const refined = missing.filter(isRefined).length;
  return [
    wrap(
      `${pluralText(missing.length, "image")} not there yet, ${countText(refined)} of them of refined ` +
        "prompts. --wanted lists them; once they are in the folder, the same command goes on.",
      width,
    ),
  ];
}

const isRefined = ({ place }: WantedImage): boolean => place.role === "refined";
