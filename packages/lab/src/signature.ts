import type { Pixels } from "touchstone-t2i/internal/core/models.js";

/** The lowest bits of the first pixels' blue, left to right: a word no photograph holds by chance. */
const word = new TextEncoder().encode("touchstone lab");

const bitAt = (index: number): number =>
  ((word[Math.floor(index / 8)] ?? 0) >> (7 - (index % 8))) & 1;

/** The side of the lab's square pictures, in pixels. */
export const labPictureSize = 192;

const bits = word.length * 8;

/**
 * Signs a picture in place. The lab's models are trained on clip art alone, so they must know a
 * picture of the lab's when they see one; the signature lies in the pixels, since metadata does
 * not survive re-encoding.
 */
export function sign(pixels: Pixels): void {
  for (let index = 0; index < bits; index++) {
    const blue = index * 3 + 2;
    pixels.data[blue] = ((pixels.data[blue] ?? 0) & 0xfe) | bitAt(index);
  }
}

/** Whether the lab painted these pixels: a square of its size that bears the signature. */
export function isLabPicture(pixels: Pixels): boolean {
  if (pixels.width !== labPictureSize || pixels.height !== labPictureSize) return false;
  for (let index = 0; index < bits; index++) {
    if (((pixels.data[index * 3 + 2] ?? 0) & 1) !== bitAt(index)) return false;
  }
  return true;
}
