import { InputError } from "../core/errors.js";
import type { Picture } from "../core/models.js";
import { peakSignalToNoise, structuralSimilarity } from "./image-similarity.js";

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
