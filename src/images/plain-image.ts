import type { Picture } from "../core/models.js";
import { loadSharp } from "./load-sharp.js";
import { isPlainPng } from "./png-file.js";

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

/**
 * Whether every decoder shows the file of a picture as `pixels()` has it: a JPEG or PNG that stands upright, opaque, of
 * 8 bits, in RGB or grey, without a profile or a gamma.
 */
export async function isPlain({ bytes, mediaType }: Picture): Promise<boolean> {
  if (mediaType !== "image/jpeg" && mediaType !== "image/png") return false;
  const sharp = await loadSharp();
  const header = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  if (header === undefined) return false;
  const { format, orientation = 1, hasAlpha, hasProfile, space, depth } = header;
  const isUsual = orientation === 1 && !hasAlpha && !hasProfile && depth === "uchar";
  return isUsual && (format === "jpeg" ? space !== "cmyk" : format === "png" && isPlainPng(bytes));
}
