import type { Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { loadSharp } from "../../images/load-sharp.js";
import { mostPixels } from "../../images/picture.js";

/**
 * An image as a data URL, with no side longer than `longestSide` pixels. PNG and JPEG that fit go as
 * they are; what must be scaled, turned upright, flattened (on white) or is of another format is
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
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: "truncated" });
    const { format, orientation = 1, hasAlpha } = await image.metadata();
    const isJpeg = format === "jpeg";
    const fits = Math.max(width, height) <= longestSide;
    if (fits && orientation === 1 && !hasAlpha && (isJpeg || format === "png")) {
      return url(mediaType, bytes);
    }
    const ready = image
      .autoOrient()
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
