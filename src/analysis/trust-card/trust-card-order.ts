import { largestOf } from "../../core/extremes.js";
import type { Estimate } from "../../stats/estimate.js";
import { withBoundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";

/** An image that has a score and a rating. */
interface RatedRow {
  readonly id: string;
  readonly prompt?: string | undefined;
  /** Reference value, by people or the truth. */
  readonly reference: number;
}

/**
 * A share of pairs of images in their order that is 0 or 1, with the one-sided 95 % bound that its
 * interval can't give: all resamples then agree. Pairs share images, so that not each is a draw of its
 * own; as many are as disjoint pairs of prompts can be made whose ratings differ. See `shareAfterNone`.
 */
export function withOrderBound(share: Estimate, rows: readonly RatedRow[]): Estimate {
  return withBoundAfter(share, () => disjointPairs(rows));
}

/** The most pairs of prompts that share none and have ratings that differ. */
function disjointPairs(rows: readonly RatedRow[]): number {
  const { cluster, count } = promptClusters(rows);
  const ratings = Array.from({ length: count }, () => new Set<number>());
  rows.forEach(({ reference }, at) => {
    ratings[cluster[at] ?? 0]?.add(reference);
  });
  // A prompt with several ratings differs from every other; one with a single rating from all but its like.
  const alike = new Map<number, number>();
  for (const own of ratings) {
    const [only] = own;
    if (own.size === 1 && only !== undefined) alike.set(only, (alike.get(only) ?? 0) + 1);
  }
  return Math.min(Math.floor(count / 2), count - Math.max(0, largestOf(alike.values())));
}
