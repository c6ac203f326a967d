import type { TriedThreshold } from "./selective-thresholds.js";

/** A decision of a judge on a pair that people have decided, too. */
export interface CheckedDecision {
  /** max(P, 1 - P), in [0.5, 1]. */
  readonly confidence: number;
  /** Whether people decided otherwise. */
  readonly isWrong: boolean;
}

/** Accepted and wrong decisions at a threshold, on held-out pairs. */
export interface ThresholdCount extends TriedThreshold {
  readonly accepted: number;
  /** Number of the accepted that are wrong. */
  readonly wrong: number;
}

/**
 * How many decisions each threshold accepts, and how many of these are wrong.
 *
 * @param decisions on pairs that fitted neither the judge nor the thresholds
 */
export function countsAtThresholds(
  decisions: readonly CheckedDecision[],
  tried: readonly TriedThreshold[],
): ThresholdCount[] {
  const sorted = [...decisions].sort((a, b) => b.confidence - a.confidence);
  const wrongBefore = new Int32Array(sorted.length + 1);
  for (const [at, { isWrong }] of sorted.entries()) {
    wrongBefore[at + 1] = (wrongBefore[at] ?? 0) + (isWrong ? 1 : 0);
  }
  return tried.map((each) => {
    const accepted = firstBelow(sorted, each.threshold);
    return { ...each, accepted, wrong: wrongBefore[accepted] ?? 0 };
  });
}

/** How many decisions, which stand in falling order, are at least so confident. */
function firstBelow(sorted: readonly CheckedDecision[], threshold: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.confidence ?? 0) >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}
