import type { Picture } from "../../core/models.js";
import { loadSharp } from "../../images/load-sharp.js";
import { isPlain } from "../../images/picture.js";

/**
 * An image as a data URL that shows a server the picture's own `pixels()`, with no side longer than `longestSide`.
 * JPEG and PNG that fit and that every decoder shows alike go as they are; all others are encoded anew from the
 * pixels: JPEG from JPEG, else PNG.
 *
 * @throws NoAnswer "bad-input" where the image can't be decoded.
 */
export async function imageUrl(picture: Picture, longestSide: number): Promise<string> {
  const { bytes, mediaType } = picture;
  const { width, height, data } = await picture.pixels();
  const fits = Math.max(width, height) <= longestSide;
  if (fits && ((await isPlain(picture)) || (await isInSrgb(picture)))) return url(mediaType, bytes);
  const ready = (await loadSharp())(data, { raw: { width, height, channels: 3 } }).resize({
    width: longestSide,
    height: longestSide,
    fit: "inside",
    withoutEnlargement: true,
  });
  return mediaType === "image/jpeg"
    ? url(mediaType, await ready.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer())
    : url("image/png", await ready.png().toBuffer());
}

const url = (mediaType: string, content: Uint8Array) =>
  `data:${mediaType};base64,${Buffer.from(content).toString("base64")}`;

/** Rounding changes a level by no more, from a profile of sRGB to sRGB. */
const rounding = 2;

/** Whether a JPEG shows the same without its profile: encoded anew it would lose more than by rounding. */
async function isInSrgb(picture: Picture): Promise<boolean> {
  if (picture.mediaType !== "image/jpeg") return false;
  const sharp = await loadSharp();
  const bare = sharp(picture.bytes, { ignoreIcc: true });
  if ((await bare.metadata()).space === "cmyk") return false;
  const plain = await bare.toColourspace("srgb").raw().toBuffer();
  const { data } = await picture.pixels();
  return (
    data.length === plain.length &&
    data.every((level, at) => Math.abs(level - (plain[at] ?? 0)) <= rounding)
  );
}
