import { InputError } from "../core/errors.js";
import type { Picture, Pixels } from "../core/models.js";
import { log } from "../stats/elementary/logarithm.js";

/** An image of one side of a comparison. */
export interface SideImage {
  /** What it is called in results. */
  readonly name: string;
  readonly text: string;
  /** The seed that it was made from; undefined where that is not known. */
  readonly seed: string | undefined;
  /** What made it; "" where that is not known. */
  readonly model: string;
  /** What a metric said of it, where that is known. */
  readonly score: number | null;
  open(): Promise<Picture>;
}

/** Two images for one text and seed, and how far apart they are. */
export interface ImageChange {
  readonly a: SideImage;
  readonly b: SideImage;
  /** Decibels; null where the two are equal. */
  readonly psnr: number | null;
  /** At most 1; null where they are of two sizes, or smaller than seven pixels. */
  readonly ssim: number | null;
  /** 1 minus the cosine of the two in an embedder's space; null without one. */
  readonly distance: number | null;
  readonly isVisible: boolean;
}

/**
 * Images of both sides for the same text and seed, else, where not all have a seed, for the same text in the order in
 * which they stand; where either side has several models, of the same model. What only one side has is counted.
 *
 * @throws InputError where two images of a side have the same text, seed and model.
 */
export function imagePairs<Image extends Pick<SideImage, "name" | "text" | "seed" | "model">>(
  a: readonly Image[],
  b: readonly Image[],
) {
  const all = [...a, ...b];
  const hasSeeds = all.every(({ seed }) => seed !== undefined);
  const hasModels = [a, b].some((side) => new Set(side.map(({ model }) => model)).size > 1);
  const keyed = (side: readonly Image[]) => {
    const numbers = new Map<string, number>();
    const found = new Map<string, Image>();
    for (const image of side) {
      const about = JSON.stringify([image.text, hasModels ? image.model : ""]);
      const number = numbers.get(about) ?? 0;
      numbers.set(about, number + 1);
      const key = JSON.stringify([about, hasSeeds ? image.seed : number]);
      const other = found.get(key);
      if (other !== undefined) {
        throw new InputError(
          `Expected one image for a text and seed but ${other.name} and ${image.name} both have seed ${image.seed}`,
        );
      }
      found.set(key, image);
    }
    return found;
  };
  const [ones, others] = [keyed(a), keyed(b)];
  const pairs = [...ones].flatMap(([key, image]) => {
    const other = others.get(key);
    return other === undefined ? [] : [[image, other] as const];
  });
  return { pairs, onlyA: ones.size - pairs.length, onlyB: others.size - pairs.length };
}

/**
 * Images of a run, told apart by more than their seed where one serves several roles or samples of a text.
 *
 * @param placeOf what else tells an image apart, by its number
 */
export function seedsApart<Image extends Pick<SideImage, "text" | "seed" | "model">>(
  images: readonly Image[],
  placeOf: (at: number) => unknown,
): Image[] {
  const told = new Set(images.map(({ text, seed, model }) => JSON.stringify([text, seed, model])));
  return told.size === images.length
    ? [...images]
    : images.map((image, at) => ({ ...image, seed: JSON.stringify([placeOf(at), image.seed]) }));
}

/** Below this similarity, or this ratio in decibels, people see that an image changed when they look for it. */
export const visible = { ssim: 0.98, psnr: 40 } as const;

/**
 * How far two images are apart, pixel by pixel and, where `distanceOf` is given, in an embedder's space. Images
 * of two sizes have neither similarity nor ratio, and count as changed.
 *
 * @throws NoAnswer where one can't be read or embedded.
 */
export async function imageChange(
  a: SideImage,
  b: SideImage,
  distanceOf?: (one: Picture, other: Picture) => Promise<number>,
): Promise<ImageChange> {
  const [one, other] = await Promise.all([a.open(), b.open()]);
  if (one.hash === other.hash) {
    const distance = distanceOf === undefined ? null : 0;
    return { a, b, psnr: null, ssim: 1, distance, isVisible: false };
  }
  const distance = (await distanceOf?.(one, other)) ?? null;
  if (one.width !== other.width || one.height !== other.height) {
    return { a, b, psnr: null, ssim: null, distance, isVisible: true };
  }
  const [before, now] = await Promise.all([one.pixels(), other.pixels()]);
  const psnr = peakSignalToNoise(before, now);
  const ssim = psnr === null ? 1 : structuralSimilarity(before, now);
  const isVisible = psnr !== null && (psnr < visible.psnr || (ssim ?? 1) < visible.ssim);
  return { a, b, psnr, ssim, distance, isVisible };
}

/** The most changed pairs first, by similarity; those that did not change at all are left out. */
export const mostChanged = (changes: readonly ImageChange[], most = 10): readonly ImageChange[] =>
  changes
    .filter(({ psnr, ssim }) => psnr !== null || ssim === null)
    .sort(
      (one, other) => (one.ssim ?? -1) - (other.ssim ?? -1) || (one.psnr ?? 0) - (other.psnr ?? 0),
    )
    .slice(0, most);

/** The middle and the lowest of some numbers, where null is above all. */
export function middleAndWorst(values: readonly (number | null)[]): {
  readonly median: number | null;
  readonly worst: number | null;
} {
  const sorted = values
    .map((value) => value ?? Number.POSITIVE_INFINITY)
    .sort((one, other) => one - other);
  const half = sorted.length / 2;
  const [one = Number.NaN, other = Number.NaN] = [
    sorted[Math.ceil(half) - 1],
    sorted[Math.floor(half)],
  ];
  const finite = (value = Number.NaN) => (Number.isFinite(value) ? value : null);
  return { median: finite((one + other) / 2), worst: finite(sorted[0]) };
}

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
