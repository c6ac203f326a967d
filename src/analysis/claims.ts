import type { Estimate } from "../stats/estimate.js";

/**
 * A claim as data: a statement of a paper, and the quantity that decides it here. `expected` says on
 * which side of `threshold` the quantity lies if the claim holds.
 */
export interface Claim<Quantity = unknown> {
  readonly statement: string;
  /** Where the paper says it. */
  readonly source: string;
  readonly expected: "above" | "below";
  readonly threshold: number;
  /** What is estimated, for whoever computes it. */
  readonly quantity: Quantity;
}

export type ClaimOutcome = "holds" | "fails" | "undecided";

/** What the data of a run say of a claim. */
export interface ClaimFinding {
  readonly statement: string;
  readonly source: string;
  /** What was estimated, in words, such as "difference in failure rate, a minus b". */
  readonly measured: string;
  readonly expected: "above" | "below";
  readonly threshold: number;
  readonly estimate: Estimate;
  readonly n: number;
  readonly outcome: ClaimOutcome;
  /** Why it is undecided; undefined where it is not. */
  readonly reason?: string;
}

/** What was estimated for a claim, or why nothing could be. */
export type Measurement =
  | { readonly measured: string; readonly estimate: Estimate; readonly n: number }
  | { readonly measured: string; readonly missing: string };

/**
 * Whether a claim holds: it does where the whole 95 % interval lies on the side that it expects, it
 * fails where the whole interval lies on the other, and is undecided otherwise. Where nothing or
 * everything shows what is counted, resamples have no spread and the one-sided bounds stand in place
 * of the interval.
 *
 * @example judgeClaim({ expected: "below", threshold: 0, … }, { estimate: { value: -0.1, low: -0.2,
 *   high: -0.05 }, … }).outcome // "holds"
 */
export function judgeClaim(claim: Claim, measurement: Measurement): ClaimFinding {
  const { statement, source, expected, threshold } = claim;
  const { measured } = measurement;
  const about = { statement, source, measured, expected, threshold };
  if ("missing" in measurement) {
    const estimate = { value: null, low: null, high: null, reason: measurement.missing };
    return { ...about, estimate, n: 0, outcome: "undecided", reason: measurement.missing };
  }
  const { estimate, n } = measurement;
  const undecided = (reason: string): ClaimFinding => ({
    ...{ ...about, estimate, n, outcome: "undecided", reason },
  });
  if (estimate.value === null) return undecided(estimate.reason ?? "it is undefined");
  const { low, high } = estimate.oneSided ?? estimate;
  if (low === null || high === null) return undecided(estimate.reason ?? "it has no interval");
  if (low === high) return undecided("resamples have no spread");
  const isAbove = low > threshold;
  const isBelow = high < threshold;
  if (!isAbove && !isBelow) return undecided("the interval holds the threshold");
  const outcome = isAbove === (expected === "above") ? "holds" : "fails";
  return { ...about, estimate, n, outcome };
}
