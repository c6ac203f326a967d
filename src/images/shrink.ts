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
  const { data: from } = pixels;
  const length = width * 3;
  const data = new Uint8Array(length * height);
  const sums = new Float64Array(length);
  let source = 0;
  for (let start = 0; start < data.length; start += length) {
    sums.fill(half);
    for (let row = 0; row < down; row++) {
      for (let at = 0; at < length; at += 3) {
        let [red, green, blue] = [0, 0, 0];
        for (let step = 0; step < across; step++, source += 3) {
          red += from[source] ?? 0;
          green += from[source + 1] ?? 0;
          blue += from[source + 2] ?? 0;
        }
        sums[at] = (sums[at] ?? 0) + red;
        sums[at + 1] = (sums[at + 1] ?? 0) + green;
        sums[at + 2] = (sums[at + 2] ?? 0) + blue;
      }
    }
    // What is behind the point is dropped.
    for (let at = 0; at < length; at++) data[start + at] = (sums[at] ?? 0) / count;
  }
  return { width, height, data };
}

function factor(from: number, to: number, side: string): number {
  if (Number.isInteger(to) && to > 0 && from % to === 0) return from / to;
  throw new RangeError(`Expected a divisor of ${from} for ${side} but received ${to}`);
}
