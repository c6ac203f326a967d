import { dirname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { NoAnswer } from "../../core/unscored.js";
import { outsideProblem } from "../../files/outside.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import { openPicture } from "../../images/picture.js";
import { type Thumbnail, thumbnail } from "../../images/thumbnail.js";
import { imagePair } from "../../report/pages/pair-cards.js";
import type { Card, Chapter } from "../../views/report.js";
import type { ImagePair, ViewPictures } from "../../views/view.js";
import type { Output } from "../terminal/output.js";

/** Pixels of the longer side. */
const side = 320;

/**
 * A pair whose images a table names, for a page: looked for beside the table and where the command was
 * given. Without them the page goes without, and that is said.
 */
export async function shownPair(
  pair: ImagePair,
  { output, ...places }: Places & { readonly output: Output },
): Promise<Card | undefined> {
  const folders = foldersOf(places);
  try {
    const [first, second] = pair.sides;
    return imagePair(pair, [await small(first.image, folders), await small(second.image, folders)]);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof NoAnswer)) throw error;
    output.note(`The page shows no pair of images: ${error.message}`);
    return undefined;
  }
}

/** Images of texts, a card each; those that can't be read are left out, and that is said. */
export async function shownPictures(
  pictures: readonly ViewPictures[],
  { output, ...places }: Places & { readonly output: Output },
): Promise<Chapter[]> {
  const folders = foldersOf(places);
  const cards: Card[] = [];
  for (const { title, text, images } of pictures) {
    try {
      const shown = await Promise.all(
        images.map(async ({ file, alternative }) => ({
          image: await small(file, folders),
          alternative,
          caption: file,
        })),
      );
      cards.push({ tags: [title], text, parts: [{ pictures: shown }] });
    } catch (error) {
      if (!(error instanceof InputError || error instanceof NoAnswer)) throw error;
      output.note(`The page shows no images of ${title}: ${error.message}`);
    }
  }
  return cards.length === 0 ? [] : [{ id: "pictures", title: "Images", parts: [{ cards }] }];
}

interface Places {
  readonly file: readonly string[];
  readonly workingDirectory: string;
}

/** The folders of the tables, and where the command was given. */
function foldersOf({ file, workingDirectory }: Places): string[] {
  const tables = file.filter((each) => each !== "-");
  return [
    ...new Set([
      ...tables.map((each) => dirname(resolve(workingDirectory, each))),
      workingDirectory,
    ]),
  ];
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
