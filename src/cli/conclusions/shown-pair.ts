import { dirname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { NoAnswer } from "../../core/unscored.js";
import { outsideProblem } from "../../files/outside.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import { openPicture } from "../../images/picture.js";
import { type Thumbnail, thumbnail } from "../../images/thumbnail.js";
import { imagePair } from "../../report/pages/pair-cards.js";
import type { Card } from "../../views/report.js";
import type { ImagePair } from "../../views/view.js";
import type { Output } from "../terminal/output.js";

/** Pixels of the longer side. */
const side = 320;

/**
 * A pair whose images a table names, for a page: looked for beside the table and where the command was
 * given. Without them the page goes without, and that is said.
 */
export async function shownPair(
  pair: ImagePair,
  {
    file,
    workingDirectory,
    output,
  }: {
    readonly file: readonly string[];
    readonly workingDirectory: string;
    readonly output: Output;
  },
): Promise<Card | undefined> {
  const tables = file.filter((each) => each !== "-");
  const folders = [
    ...new Set([
      ...tables.map((each) => dirname(resolve(workingDirectory, each))),
      workingDirectory,
    ]),
  ];
  try {
    const [first, second] = pair.sides;
    return imagePair(pair, [await small(first.image, folders), await small(second.image, folders)]);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof NoAnswer)) throw error;
    output.note(`The page shows no pair of images: ${error.message}`);
    return undefined;
  }
}

/** @throws InputError where it lies in none of the folders; NoAnswer where it is no image. */
async function small(image: string, folders: readonly string[]): Promise<Thumbnail> {
  for (const folder of folders) {
    const path = resolve(folder, image);
    const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(() => undefined);
    if (bytes === undefined || (await outsideProblem(path, folders)) !== undefined) continue;
    return thumbnail(await openPicture(bytes, image), { side });
  }
  throw new InputError(
    `Expected the image ${image} in ${folders.join(" or ")} but it is not there`,
  );
}
