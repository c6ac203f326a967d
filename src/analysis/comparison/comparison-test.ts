import { largestOf } from "../../core/arrays.js";
import type { Random } from "../../core/random.js";
import { benjaminiHochberg, benjaminiYekutieli, holm } from "../../stats/adjusted-p-values.js";
import { powerOfTwo } from "../../stats/elementary/float-words.js";
import { ceilLog2, square } from "../../stats/elementary/powers.js";
import { studentTPValue } from "../../stats/incomplete-beta.js";
import { normalQuantile } from "../../stats/normal.js";
import { pairedTTest } from "../../stats/paired-t-test.js";
import { type SignFlips, signFlipTest } from "../../stats/sign-flip-test.js";
import { wilcoxonSignedRank } from "../../stats/wilcoxon.js";

export const comparisonTests = ["sign-flip", "t", "wilcoxon"] as const;
export type ComparisonTest = (typeof comparisonTests)[number];

export const adjustments = ["holm", "bh", "by", "none"] as const;
export type Adjustment = (typeof adjustments)[number];

/** p of the differences of two models, one for each prompt; null where they define none. */
export function comparisonPValue(
  test: ComparisonTest,
  differences: Float64Array,
  { permutations, random }: { readonly permutations: number; readonly random: Random },
): { readonly p: number | null; readonly flips?: SignFlips } {
  if (differences.length === 0) return { p: null };
  if (test === "t") {
    return { p: pairedTTest(differences, new Float64Array(differences.length)).p };
  }
  if (test === "wilcoxon") return { p: wilcoxonSignedRank(withoutNoise(differences)).p };
  return signFlipTest(differences, { permutations, random });
}

/** 0.3 - 0.2 and 0.2 - 0.1 are as large as each other, and tie in ranks, though rounding parts them. */
function withoutNoise(differences: Float64Array): Float64Array {
  const largest = largestOf(differences.map(Math.abs));
  const step = powerOfTwo(Math.max(-1022, ceilLog2(largest) - 40));
  return largest === 0 ? differences : differences.map((each) => Math.round(each / step) * step);
}

/** p-values adjusted over all that are defined. */
export function adjusted(p: readonly (number | null)[], by: Adjustment): (number | null)[] {
  const methods = { holm, bh: benjaminiHochberg, by: benjaminiYekutieli };
  if (by === "none") return [...p];
  const found = methods[by](p.filter((each) => each !== null))[Symbol.iterator]();
  return p.map((each) => (each === null ? null : (found.next().value ?? null)));
}

/**
 * How many prompts it takes until a t-test of the differences comes to at most 0.05 / tests, were mean
 * and deviation as they are now, and at least as many as sign flips need to come there, whose p is
 * never below 2^(1 - prompts): a forecast that holds about as often as not.
 *
 * @param cohensDz the effect size now.
 * @returns null where it would take more than ten million, or there is no effect.
 */
export function promptsNeeded(cohensDz: number | null, tests: number): number | null {
  if (cohensDz === null) return null;
  const isEnough = (prompts: number) =>
    studentTPValue(cohensDz * Math.sqrt(prompts), prompts - 1) <= 0.05 / tests;
  // By the normal distribution, whose tails are thinner, it would take fewer.
  const least = Math.floor(square(normalQuantile(0.025 / tests) / cohensDz)) - 1;
  if (!(least < mostPrompts)) return null;
  return fewestPrompts(isEnough, Math.max(ceilLog2(tests / 0.05), least));
}

const mostPrompts = 1e7;

/**
 * The fewest prompts that are enough, where more always are.
 *
 * @param tooFew are never enough.
 * @returns null where it takes more than ten million.
 */
export function fewestPrompts(
  isEnough: (prompts: number) => boolean,
  tooFew: number,
): number | null {
  let enough = tooFew + 8;
  while (!isEnough(Math.min(enough, mostPrompts))) {
    if (enough >= mostPrompts) return null;
    [tooFew, enough] = [enough, 2 * enough];
  }
  enough = Math.min(enough, mostPrompts);
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
