import type { Pixels } from "../core/models.js";
import { loadSharp } from "./load-sharp.js";

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
