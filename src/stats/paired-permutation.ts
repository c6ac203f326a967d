import type { Random } from "../core/random.js";

/**
 * What each row of a method adds to a score: the score is (the sum over bins of |sum of the bin|) /
 * rows where there are bins, and the plain mean where there are none.
 */
export interface Contributions {
  readonly value: Float64Array;
  /** The bin of each row; without it the score is the mean of the values. */
  readonly bin?: Int32Array;
}

/** The score that contributions add up to; NaN without a row. */
export function contributedScore({ value, bin }: Contributions): number {
  const bins = new Float64Array(binsOf(bin));
  value.forEach((each, row) => {
    const at = bin?.[row] ?? 0;
    bins[at] = (bins[at] ?? 0) + each;
  });
  return scoreOf(bins, bin !== undefined) / value.length;
}

/**
 * Whether two methods' scores on the same rows differ by more than chance: if the methods were
 * alike, their results within a unit could be swapped. Each permutation swaps those of every unit
 * with probability 1/2; p = (1 + b) / (1 + B), where b of B permutations have a difference at least
 * as far from 0 as the one found (two-sided; it is never 0). Fisher, "The Design of Experiments"
 * (1935), 21; the added ones: Phipson and Smyth, "Permutation P-values Should Never Be Zero" (2010).
 *
 * @param options.unit of each row, 0 to units - 1: what is swapped as a whole.
 * @returns the score of one minus that of the other, and p in (0, 1]; 1 where they agree.
 */
export function pairedPermutation({
  one,
  other,
  unit,
  units,
  permutations,
  random,
}: {
  readonly one: Contributions;
  readonly other: Contributions;
  readonly unit: Int32Array;
  readonly units: number;
  readonly permutations: number;
  readonly random: Random;
}): { readonly difference: number; readonly p: number } {
  const rows = unit.length;
  const isBinned = one.bin !== undefined;
  const bins = Math.max(binsOf(one.bin), binsOf(other.bin));
  const both = new Float64Array(bins);
  for (const { value, bin } of [one, other]) {
    value.forEach((each, row) => {
      const at = bin?.[row] ?? 0;
      both[at] = (both[at] ?? 0) + each;
    });
  }
  const difference = contributedScore(one) - contributedScore(other);
  // What differs from the difference found by rounding alone is as far from 0 as it.
  const far = Math.abs(difference) - 1e-12 * Math.max(1, Math.abs(difference));
  const first = new Float64Array(bins);
  const second = new Float64Array(bins);
  const isSwapped = new Uint8Array(units);
  let atLeast = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    drawBits(isSwapped, random);
    first.fill(0);
    for (let row = 0; row < rows; row++) {
      const { value, bin } = isSwapped[unit[row] ?? 0] === 1 ? other : one;
      const at = bin === undefined ? 0 : (bin[row] ?? 0);
      first[at] = (first[at] ?? 0) + (value[row] ?? 0);
    }
    // The other method has whatever this one has not.
    for (let at = 0; at < bins; at++) second[at] = (both[at] ?? 0) - (first[at] ?? 0);
    const found = (scoreOf(first, isBinned) - scoreOf(second, isBinned)) / rows;
    if (Math.abs(found) >= far) atLeast += 1;
  }
  return { difference, p: (1 + atLeast) / (1 + permutations) };
}

function scoreOf(bins: Float64Array, isBinned: boolean): number {
  let score = 0;
  for (const sum of bins) score += isBinned ? Math.abs(sum) : sum;
  return score;
}

function binsOf(bin: Int32Array | undefined): number {
  return bin === undefined ? 1 : 1 + bin.reduce((most, each) => Math.max(most, each), 0);
}

/** Fair coins, 32 from each number. */
function drawBits(into: Uint8Array, random: Random): void {
  let bits = 0;
  for (let index = 0; index < into.length; index++) {
    if (index % 32 === 0) bits = random.integer(2 ** 32) | 0;
    into[index] = bits & 1;
    bits >>>= 1;
  }
}
