import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { JudgingTask } from "../../../core/judging-task.js";
import { imagesBelow } from "../../../files/image-folder.js";
import { type ItemRow, readItems } from "./judged-table.js";
import type { ItemSource } from "./opened-table.js";

/**
 * Items without labels that groups of images are found in, beside those with: MMB's D_sup. Images of a
 * folder, or a table of the task; embeddings of both lie in one space, since a pair's is the mean of two.
 *
 * @throws InputError where a folder holds no image, else as `readItems`.
 */
export async function supportItems(
  tables: Omit<ItemSource, "besides">,
  task: JudgingTask,
): Promise<ItemRow[]> {
  const { file, environment } = tables;
  const path = resolve(environment.workingDirectory, file);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return readItems(tables, { task, whose: "--support" });
  const images = await imagesBelow(path);
  if (images.length === 0) {
    throw new InputError(`Expected images in the folder ${file} for --support but it has none`);
  }
  return images.map((image) => {
    const name = join(file, image);
    return { id: name, text: "", images: [{ name, path: join(path, image) }], place: name };
  });
}
