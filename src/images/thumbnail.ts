import type { Picture, Pixels } from "../core/models.js";
import { loadSharp } from "./load-sharp.js";
import { openShown } from "./shown-image.js";

/** An encoded image, ready to be shown. */
export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Formats that every browser shows. */
const shown = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/**
 * A picture for people to look at: the picture itself where it is small enough, else a WebP that
 * fits into `side` x `side` pixels. It is never what a model was shown.
 *
 * @param options.effort 0 to 6: with less it is made sooner, and larger
 */
export async function thumbnail(
  picture: Picture,
  {
    side = 384,
    mostBytes = 60_000,
    effort = 4,
  }: { side?: number; mostBytes?: number; effort?: number } = {},
): Promise<Thumbnail> {
  const { bytes, mediaType, width, height } = picture;
  const isSmall = bytes.length <= mostBytes && Math.max(width, height) <= side;
  if (isSmall && shown.includes(mediaType)) return { bytes, mediaType, width, height };
  const image = await openShown(bytes);
  const { data, info } = await image
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80, effort })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, mediaType: "image/webp", width: info.width, height: info.height };
}

/** Encodes pixels (RGB, 8 bits) as WebP; nothing but the pixels is in the file. */
export async function encodeWebp(
  { width, height, data }: Pixels,
  { isLossless }: { readonly isLossless: boolean },
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp(isLossless ? { lossless: true } : { quality: 95, smartSubsample: true })
    .toBuffer();
}
