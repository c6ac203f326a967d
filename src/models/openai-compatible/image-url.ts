import type { Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { loadSharp } from "../../images/load-sharp.js";
import { openShown } from "../../images/shown-image.js";

/**
 * An image as a data URL, with no side longer than `longestSide` pixels. PNG and JPEG that fit go as
 * they are; what must be scaled, turned upright, flattened (on white), is CMYK or of another format is
 * encoded anew: JPEG from JPEG, else PNG.
 *
 * @throws NoAnswer "bad-input" where the image can't be decoded.
 */
export async function imageUrl(
  { bytes, mediaType, width, height }: Picture,
  longestSide: number,
): Promise<string> {
  const url = (type: string, content: Uint8Array) =>
    `data:${type};base64,${Buffer.from(content).toString("base64")}`;
  const sharp = await loadSharp();
  try {
    const { format, orientation = 1, hasAlpha, space } = await sharp(bytes).metadata();
    const isJpeg = format === "jpeg";
    const isPlain = orientation === 1 && !hasAlpha && space !== "cmyk";
    const fits = Math.max(width, height) <= longestSide;
    if (fits && isPlain && (isJpeg || format === "png")) return url(mediaType, bytes);
    const image = await openShown(bytes);
    const ready = image
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true });
    return isJpeg
      ? url("image/jpeg", await ready.jpeg({ quality: 95 }).toBuffer())
      : url("image/png", await ready.png().toBuffer());
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NoAnswer("bad-input", `The image can't be prepared for the model: ${why}`, { cause });
  }
}
