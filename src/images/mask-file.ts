import type { Mask } from "../core/models.js";
import { openPictureFile } from "./picture-file.js";

/**
 * Reads a mask from an image file: inside is what is lighter than middle grey.
 *
 * @param name what to call it in messages; the path where not given
 * @throws NoAnswer "bad-input" naming the path, where there is no such file or no image in it.
 */
export async function openMaskFile(path: string, name = path): Promise<Mask> {
  const { width, height, data } = await (await openPictureFile(path, name)).pixels();
  const inside = new Uint8Array(width * height);
  for (let at = 0; at < inside.length; at++) {
    const sum = (data[at * 3] ?? 0) + (data[at * 3 + 1] ?? 0) + (data[at * 3 + 2] ?? 0);
    inside[at] = sum > 3 * 127.5 ? 1 : 0;
  }
  return { width, height, data: inside };
}
