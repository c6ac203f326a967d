import type { Picture } from "../core/models.js";
import { loadSharp } from "./load-sharp.js";

/**
 * An encoded image that every decoder shows as `pixels()` has it: its own bytes of a JPEG that stands upright, in RGB
 * or grey, without a profile; else its pixels as PNG.
 *
 * @throws NoAnswer "bad-input" where it can't be decoded.
 */
export async function plainBytes(picture: Picture): Promise<Uint8Array> {
  const sharp = await loadSharp();
  if (picture.mediaType === "image/jpeg") {
    const { orientation = 1, hasProfile, space } = await sharp(picture.bytes).metadata();
    if (orientation === 1 && !hasProfile && space !== "cmyk") return picture.bytes;
  }
  const { width, height, data } = await picture.pixels();
  const raw = { width, height, channels: 3 } as const;
  return sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
}
