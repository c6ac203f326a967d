import type { Pixels } from "../core/models.js";

/**
 * Weights are whole numbers of 22 bits, as Pillow has them: sums of six, each with a level of 8 bits, fit into 32, are
 * exact and the same on every CPU. Added before the bits are dropped, a half rounds.
 */
const bits = 22;
const half = 1 << (bits - 1);
const lobes = 3;

/**
 * Enlarges an image with Lanczos's window of three lobes: columns first, then rows, rounded to 8
 * bits after each, with weights of 22 bits, as Pillow does it.
 *
 * @param width the new width in pixels, at least the old
 * @param height the new height in pixels, at least the old
 * @throws RangeError for a smaller size, which needs another window.
 */
export function enlarge(pixels: Pixels, width: number, height: number): Pixels {
  if (width < pixels.width || height < pixels.height) {
    throw new RangeError(
      `Expected at least ${pixels.width} x ${pixels.height} pixels but received ${width} x ${height}`,
    );
  }
  return inHeight(inWidth(pixels, width), height);
}

/** Sources of each new pixel: six neighbours in the old image. */
interface Taps {
  /** The place of the first neighbour. */
  readonly first: Int32Array;
  /** Six weights for each new pixel; 0 for neighbours beyond the edge. */
  readonly weights: Int32Array;
}

const count = 2 * lobes;

function tapsOf(from: number, to: number): Taps {
  const first = new Int32Array(to);
  const weights = new Int32Array(to * count);
  const raw = new Float64Array(count);
  for (let at = 0; at < to; at++) {
    const middle = ((at + 0.5) * from) / to;
    const start = Math.max(0, Math.trunc(middle - lobes + 0.5));
    const end = Math.min(from, Math.trunc(middle + lobes + 0.5));
    let sum = 0;
    for (let tap = 0; tap < end - start; tap++) {
      const weight = lanczos(tap + start - middle + 0.5);
      raw[tap] = weight;
      sum += weight;
    }
    // All six lie in the image wherever it has as many.
    const moved = Math.max(0, Math.min(start, from - count));
    first[at] = moved;
    for (let tap = 0; tap < end - start; tap++) {
      const scaled = ((raw[tap] ?? 0) / sum) * 2 ** bits;
      const place = at * count + start - moved + tap;
      weights[place] = Math.trunc(scaled + (scaled < 0 ? -0.5 : 0.5));
    }
  }
  return { first, weights };
}

function lanczos(at: number): number {
  if (at === 0) return 1;
  if (Math.abs(at) >= lobes) return 0;
  const angle = Math.PI * at;
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / angle ** 2;
}

// The loops below name their taps one by one, which halves the time.

function inWidth(pixels: Pixels, width: number): Pixels {
  if (width === pixels.width) return pixels;
  const { height, width: stride, data: from } = pixels;
  const { first, weights } = tapsOf(stride, width);
  const data = new Uint8ClampedArray(width * height * 3);
  let target = 0;
  for (let y = 0; y < height; y++) {
    const row = y * stride;
    for (let x = 0; x < width; x++) {
      const at = x * count;
      const w0 = weights[at] ?? 0;
      const w1 = weights[at + 1] ?? 0;
      const w2 = weights[at + 2] ?? 0;
      const w3 = weights[at + 3] ?? 0;
      const w4 = weights[at + 4] ?? 0;
      const w5 = weights[at + 5] ?? 0;
      const start = (row + (first[x] ?? 0)) * 3;
      for (let place = start; place < start + 3; place++) {
        data[target++] =
          (half +
            Math.imul(from[place] ?? 0, w0) +
            Math.imul(from[place + 3] ?? 0, w1) +
            Math.imul(from[place + 6] ?? 0, w2) +
            Math.imul(from[place + 9] ?? 0, w3) +
            Math.imul(from[place + 12] ?? 0, w4) +
            Math.imul(from[place + 15] ?? 0, w5)) >>
          bits;
      }
    }
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}

function inHeight(pixels: Pixels, height: number): Pixels {
  if (height === pixels.height) return pixels;
  const { width, data: from } = pixels;
  const { first, weights } = tapsOf(pixels.height, height);
  const length = width * 3;
  const data = new Uint8ClampedArray(length * height);
  let target = 0;
  for (let y = 0; y < height; y++) {
    const at = y * count;
    const w0 = weights[at] ?? 0;
    const w1 = weights[at + 1] ?? 0;
    const w2 = weights[at + 2] ?? 0;
    const w3 = weights[at + 3] ?? 0;
    const w4 = weights[at + 4] ?? 0;
    const w5 = weights[at + 5] ?? 0;
    const start = (first[y] ?? 0) * length;
    for (let place = start; place < start + length; place++) {
      data[target++] =
        (half +
          Math.imul(from[place] ?? 0, w0) +
          Math.imul(from[place + length] ?? 0, w1) +
          Math.imul(from[place + 2 * length] ?? 0, w2) +
          Math.imul(from[place + 3 * length] ?? 0, w3) +
          Math.imul(from[place + 4 * length] ?? 0, w4) +
          Math.imul(from[place + 5 * length] ?? 0, w5)) >>
        bits;
    }
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}
