import type { Random } from "../core/random.js";
import { picked } from "../core/row-codes.js";
import { subsetSums } from "./subset-sums.js";

/**
 * Contribution of each row of a method to a score: the score is (the sum over bins of |sum of the bin|) /
 * rows where there are bins, and the plain mean where there are none.
 */
export interface Contributions {
  readonly value: Float64Array;
  /** The bin of each row; without it the score is the mean of the values. */
  readonly bin?: Int32Array;
}

/** The contributions of some rows. */
export const pickedContributions = (
  { value, bin }: Contributions,
  rows: Int32Array,
): Contributions => ({
  value: picked(value, rows),
  ...(bin === undefined ? {} : { bin: picked(bin, rows) }),
});

/** The score that contributions add up to; NaN without a row. */
export function contributedScore(contributions: Contributions): number {
  const { value, bin } = contributions;
  let score = 0;
  for (const sum of binSums(contributions, binsOf(bin))) {
    score += bin === undefined ? sum : Math.abs(sum);
  }
  return score / value.length;
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
  const first = binSums(one, bins);
  const others = binSums(other, bins);
  const both = first.map((sum, at) => sum + (others[at] ?? 0));
  // What a bin of the first method gains where a unit is swapped.
  const gains = Array.from({ length: bins }, () => new Float64Array(units));
  for (const [{ value, bin }, sign] of [
    [one, -1],
    [other, 1],
  ] as const) {
    value.forEach((each, row) => {
      const gain = gains[bin?.[row] ?? 0];
      const at = unit[row] ?? 0;
      if (gain) gain[at] = (gain[at] ?? 0) + sign * each;
    });
  }
  const difference = contributedScore(one) - contributedScore(other);
  // What differs from the difference found by rounding alone is as far from 0 as it.
  const far = Math.abs(difference) - 1e-12 * Math.max(1, Math.abs(difference));
  const swapped = subsetSums(gains, { subsets: permutations, random });
  let atLeast = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    let found = 0;
    for (let at = 0; at < bins; at++) {
      const mine = (first[at] ?? 0) + (swapped[at]?.[permutation] ?? 0);
      // The other method has whatever this one has not.
      const its = (both[at] ?? 0) - mine;
      found += isBinned ? Math.abs(mine) - Math.abs(its) : mine - its;
    }
    if (Math.abs(found / rows) >= far) atLeast += 1;
  }
  return { difference, p: (1 + atLeast) / (1 + permutations) };
}

function binSums({ value, bin }: Contributions, bins: number): Float64Array {
  const sums = new Float64Array(bins);
  value.forEach((each, row) => {
    const at = bin?.[row] ?? 0;
    sums[at] = (sums[at] ?? 0) + each;
  });
  return sums;
}

function binsOf(bin: Int32Array | undefined): number {
  return bin === undefined ? 1 : 1 + bin.reduce((most, each) => Math.max(most, each), 0);
}
