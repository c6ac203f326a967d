import type { Pixels } from "../core/models.js";
import { type Random, randomFrom } from "../core/random.js";

/** The ways in which a picture is made worse. */
export const degradations = [
  "contrast",
  "motion-blur",
  "brightness",
  "occlusion",
  "noise",
] as const;
export type Degradation = (typeof degradations)[number];

/** How much of one: 0 is the picture itself, 4 the most. */
export const degradationLevels = [0, 1, 2, 3, 4] as const;
export type DegradationLevel = (typeof degradationLevels)[number];

type Degrade = (pixels: Pixels, amount: number, random: Random) => Uint8Array;

const kinds: Readonly<
  Record<Degradation, { readonly amounts: readonly number[]; readonly degrade: Degrade }>
> = {
  // What is left of the contrast.
  contrast: { amounts: [1, 0.7, 0.45, 0.25, 0.1], degrade: lessContrast },
  // The standard deviation of the movement, as a share of the longer side.
  "motion-blur": { amounts: [0, 0.008, 0.02, 0.04, 0.08], degrade: moved },
  // Levels of 255 that are added.
  brightness: { amounts: [0, 30, 65, 105, 150], degrade: brighter },
  // The share of the picture that is covered.
  occlusion: { amounts: [0, 0.05, 0.15, 0.3, 0.5], degrade: covered },
  // The standard deviation, in levels of 255.
  noise: { amounts: [0, 12, 28, 50, 80], degrade: noisy },
};

/**
 * A picture made worse, of the same size:
 *
 * - contrast: every level moves towards its channel's mean; 70, 45, 25 and 10 % of the distance stay;
 * - motion-blur: the mean along a line with Gaussian weights, as of a camera that moved sideways or
 *   up and down (the seed decides), the border reflected; sigma is 0.8, 2, 4 and 8 % of the longer side;
 * - brightness: 30, 65, 105 and 150 of 255 are added, and cut off at white;
 * - occlusion: a grey rectangle of the picture's own shape covers 5, 15, 30 and 50 % of it; the seed
 *   decides where, and each level covers what the one before covered;
 * - noise: Gaussian, of 12, 28, 50 and 80 levels of 255, cut off at black and white; the same draw at
 *   every level.
 *
 * Level 0 gives the picture itself. The mean squared error never falls from one level to the next; of
 * motion blur but for rounding.
 *
 * @param seed one of the picture's own, such as its hash: two pictures are then covered elsewhere
 * @example degrade(pixels, { degradation: "noise", level: 2, seed: picture.hash })
 */
export function degrade(
  pixels: Pixels,
  {
    degradation,
    level,
    seed,
  }: {
    readonly degradation: Degradation;
    readonly level: DegradationLevel;
    readonly seed: string | number;
  },
): Pixels {
  if (level === 0) return pixels;
  const { amounts, degrade: change } = kinds[degradation];
  const data = change(pixels, amounts[level] ?? 0, randomFrom("degrade", degradation, seed));
  return { width: pixels.width, height: pixels.height, data };
}

function lessContrast({ data }: Pixels, share: number): Uint8Array {
  const sums = [0, 0, 0];
  data.forEach((value, at) => {
    sums[at % 3] = (sums[at % 3] ?? 0) + value;
  });
  const means = sums.map((sum) => sum / (data.length / 3));
  return data.map((value, at) => {
    const mean = means[at % 3] ?? 0;
    return Math.round(mean + (value - mean) * share);
  });
}

function brighter({ data }: Pixels, added: number): Uint8Array {
  return data.map((value) => Math.min(255, value + added));
}

function covered({ width, height, data }: Pixels, share: number, random: Random): Uint8Array {
  const across = Math.round(width * Math.sqrt(share));
  const down = Math.round(height * Math.sqrt(share));
  // A place between the borders, so that a wider rectangle reaches further on every side.
  const left = Math.floor(random.next() * (width - across));
  const top = Math.floor(random.next() * (height - down));
  const covered = data.slice();
  for (let y = top; y < top + down; y++) {
    covered.fill(128, (y * width + left) * 3, (y * width + left + across) * 3);
  }
  return covered;
}

function noisy({ data }: Pixels, deviation: number, random: Random): Uint8Array {
  return data.map((value) => clamped(value + deviation * normal(random)));
}

/** A standard normal draw (Box and Muller's transform); a draw is two numbers, one is left. */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

const clamped = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

function moved({ width, height, data }: Pixels, share: number, random: Random): Uint8Array {
  const isSideways = random.chance(0.5);
  const sigma = share * Math.max(width, height);
  const weights = gaussianWeights(sigma);
  const reach = weights.length - 1;
  const length = isSideways ? width : height;
  const lines = isSideways ? height : width;
  const step = isSideways ? 3 : width * 3;
  const between = isSideways ? width * 3 : 3;
  const result = new Uint8Array(data.length);
  const line = new Float64Array(length + 2 * reach);
  for (let at = 0; at < lines * 3; at++) {
    const start = Math.floor(at / 3) * between + (at % 3);
    for (let place = 0; place < line.length; place++) {
      line[place] = data[start + reflected(place - reach, length) * step] ?? 0;
    }
    for (let place = 0; place < length; place++) {
      let sum = (weights[0] ?? 0) * (line[place + reach] ?? 0);
      for (let away = 1; away <= reach; away++) {
        sum +=
          (weights[away] ?? 0) *
          ((line[place + reach - away] ?? 0) + (line[place + reach + away] ?? 0));
      }
      result[start + place * step] = clamped(sum);
    }
  }
  return result;
}

/** Weights of the middle and of each distance from it, up to three sigma; they sum to 1 over both sides. */
function gaussianWeights(sigma: number): Float64Array {
  const reach = Math.max(1, Math.ceil(3 * sigma));
  const weights = Float64Array.from({ length: reach + 1 }, (_, away) =>
    Math.exp(-((away / sigma) ** 2) / 2),
  );
  const sum = weights.reduce(
    (total, weight, away) => total + (away === 0 ? weight : 2 * weight),
    0,
  );
  return weights.map((weight) => weight / sum);
}

/** Where a pixel beyond the border is taken from: … 1 0 | 0 1 2 … n-1 | n-1 … */
function reflected(at: number, size: number): number {
  const period = 2 * size;
  const place = ((at % period) + period) % period;
  return place < size ? place : period - 1 - place;
}
