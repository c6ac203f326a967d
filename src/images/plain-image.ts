import type { Picture } from "../core/models.js";
import { loadSharp } from "./load-sharp.js";
import { isPlain } from "./picture.js";

/**
 * An encoded image that every decoder shows as `pixels()` has it: the file itself where it is plain, else its pixels
 * as PNG.
 *
 * @throws NoAnswer "bad-input" where it can't be decoded.
 */
export async function plainImage(picture: Picture): Promise<Pick<Picture, "bytes" | "mediaType">> {
  const { width, height, data } = await picture.pixels();
  if (await isPlain(picture)) return picture;
  const raw = { width, height, channels: 3 } as const;
  const bytes = await (await loadSharp())(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
  return { bytes, mediaType: "image/png" };
}
