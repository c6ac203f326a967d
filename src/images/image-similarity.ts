import type { Pixels } from "../core/models.js";
import { log } from "../stats/elementary/logarithm.js";

/**
 * Peak signal-to-noise ratio of two images of one size in decibels: 10 log10(255² / MSE) over all pixels and
 * channels.
 *
 * @returns null where the images are equal, whose ratio is infinite.
 * @example peakSignalToNoise(grey(100), grey(110)) // 28.13
 */
export function peakSignalToNoise(one: Pixels, other: Pixels): number | null {
  let squares = 0;
  for (let at = 0; at < one.data.length; at++) {
    const apart = (one.data[at] ?? 0) - (other.data[at] ?? 0);
    squares += apart * apart;
  }
  if (squares === 0) return null;
  return (10 * log((255 * 255 * one.data.length) / squares)) / log(10);
}

const side = 7;
const [c1, c2] = [0.01, 0.03].map((k) => k * 255 * (k * 255)) as [number, number];

/**
 * Structural similarity of two images of one size, 1 for equal ones, as scikit-image's `structural_similarity` has
 * it by default with `channel_axis`: windows of 7 x 7 pixels of one weight, covariances of samples (over 48), the
 * mean over all windows that lie in the image, and over the channels. Wang et al., "Image Quality Assessment: From
 * Error Visibility to Structural Similarity" (2004), equation 13.
 *
 * @returns null where the images are smaller than a window.
 */
export function structuralSimilarity(one: Pixels, other: Pixels): number | null {
  const { width, height } = one;
  if (width < side || height < side) return null;
  const across = width - side + 1;
  const down = height - side + 1;
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    const columns = columnSums(width);
    for (let y = 0; y < height; y++) {
      columns.add(one.data, other.data, y * width * 3 + channel, 1);
      if (y >= side) columns.add(one.data, other.data, (y - side) * width * 3 + channel, -1);
      if (y >= side - 1) sum += rowOf(columns, across);
    }
  }
  return sum / (3 * across * down);
}

/** Sums over the last seven rows of each column: of x, y, x², y² and xy. Whole numbers, so exact. */
function columnSums(width: number) {
  const sums = Array.from({ length: 5 }, () => new Int32Array(width));
  const [x = new Int32Array(), y = x, xx = x, yy = x, xy = x] = sums;
  return {
    sums,
    add(one: Uint8Array, other: Uint8Array, from: number, sign: 1 | -1) {
      for (let column = 0, at = from; column < width; column++, at += 3) {
        const a = one[at] ?? 0;
        const b = other[at] ?? 0;
        x[column] = (x[column] ?? 0) + sign * a;
        y[column] = (y[column] ?? 0) + sign * b;
        xx[column] = (xx[column] ?? 0) + sign * a * a;
        yy[column] = (yy[column] ?? 0) + sign * b * b;
        xy[column] = (xy[column] ?? 0) + sign * a * b;
      }
    },
  };
}

/** The sum of the similarities of a row of windows. */
function rowOf({ sums }: ReturnType<typeof columnSums>, across: number): number {
  const [x = new Int32Array(), y = x, xx = x, yy = x, xy = x] = sums;
  const n = side * side;
  let [sx, sy, sxx, syy, sxy, total] = [0, 0, 0, 0, 0, 0];
  for (let column = 0; column < across + side - 1; column++) {
    const gone = column - side;
    sx += (x[column] ?? 0) - (x[gone] ?? 0);
    sy += (y[column] ?? 0) - (y[gone] ?? 0);
    sxx += (xx[column] ?? 0) - (xx[gone] ?? 0);
    syy += (yy[column] ?? 0) - (yy[gone] ?? 0);
    sxy += (xy[column] ?? 0) - (xy[gone] ?? 0);
    if (column < side - 1) continue;
    const [ux, uy] = [sx / n, sy / n];
    const [vx, vy, vxy] = [
      (sxx - sx * ux) / (n - 1),
      (syy - sy * uy) / (n - 1),
      (sxy - sx * uy) / (n - 1),
    ];
    total += ((2 * ux * uy + c1) * (2 * vxy + c2)) / ((ux * ux + uy * uy + c1) * (vx + vy + c2));
  }
  return total;
}
