import type { Pixels } from "../core/models.js";

/**
 * Scales down by a whole factor: each new pixel is the mean of a block of old ones, a channel at a
 * time, rounded to the nearest 8-bit level (halves up). Integer arithmetic alone, so that the
 * result is the same on every CPU, which no general resampler promises.
 *
 * @param width the new width in pixels, a divisor of the old
 * @param height the new height in pixels, a divisor of the old
 * @throws RangeError where the old size is not a whole multiple of the new
 * @example shrink(pixels, 96, 96).data.length // 27648
 */
export function shrink(pixels: Pixels, width: number, height: number): Pixels {
  const across = factor(pixels.width, width, "width");
  const down = factor(pixels.height, height, "height");
  const count = across * down;
  const half = count >> 1;
  const data = new Uint8Array(width * height * 3);
  let target = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = y * down; row < (y + 1) * down; row++) {
          let source = (row * pixels.width + x * across) * 3 + channel;
          for (let step = 0; step < across; step++, source += 3) sum += pixels.data[source] ?? 0;
        }
        data[target++] = Math.floor((sum + half) / count);
      }
    }
  }
  return { width, height, data };
}

function factor(from: number, to: number, side: string): number {
  if (Number.isInteger(to) && to > 0 && from % to === 0) return from / to;
  throw new RangeError(`Expected a divisor of ${from} for ${side} but received ${to}`);
}
