import { NoAnswer } from "../../../core/unscored.js";
import { outsideProblem } from "../../../files/outside.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { ScoreItem } from "./score-item.js";

// As many as Node decodes at a time by default.
const atATime = 4;

/**
 * Opens and decodes every image once, before any model is asked: a missing, hostile or broken file
 * is then found while nothing has been spent. Decoding takes far less than judging.
 *
 * @returns the items in their order, those with a bad image with their `problem`.
 */
export async function checkImages(
  items: readonly ScoreItem[],
  { signal, onChecked }: { readonly signal: AbortSignal; onChecked(done: number): void },
): Promise<ScoreItem[]> {
  const sound = items.filter(({ problem }) => problem === undefined);
  const byPath = [...new Map(sound.map((item) => [item.path, item])).values()];
  const problems = new Map<string, string>();
  for (let start = 0; start < byPath.length; start += atATime) {
    signal.throwIfAborted();
    const some = byPath.slice(start, start + atATime);
    await Promise.all(
      some.map(async (item) => {
        const problem = await problemOf(item);
        if (problem !== undefined) problems.set(item.path, problem);
      }),
    );
    onChecked(start + some.length);
  }
  return items.map((item) => {
    const problem = item.problem ?? problems.get(item.path);
    return problem === undefined ? item : { ...item, problem };
  });
}

async function problemOf({ path, image, folder }: ScoreItem): Promise<string | undefined> {
  if (isBase64(image)) {
    return `Can't read "${image.slice(0, 24)}…": it is an image in base64, not a file's name: write it to a file, and name that`;
  }
  const outside = folder === undefined ? undefined : await outsideProblem(path, [folder]);
  if (outside !== undefined) return `Can't read ${image}: ${outside}`;
  try {
    await (await openPictureFile(path, image)).pixels();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return thrown.message;
    throw thrown;
  }
}

/** Whether a cell holds an image itself, as text. */
const isBase64 = (cell: string) => /^data:image\/|^[A-Za-z0-9+/]{256,}={0,2}$/.test(cell);
