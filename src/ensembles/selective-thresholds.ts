/** A threshold that may be tried, and the share of pairs that it is thought to accept. */
export interface TriedThreshold {
  /** Accepted is who is at least so confident: max(P, 1 - P), in [0.5, 1]. */
  readonly threshold: number;
  /** Among the pairs that the thresholds were read from, in (0, 1]. */
  readonly expectedCoverage: number;
}

/** With so many decimals a threshold is told from 1, to two figures of what lacks; three at least. */
export function thresholdDecimals(threshold: number): number {
  let decimals = 3;
  for (let lacks = 0.01; 1 - threshold < lacks && threshold < 1 && decimals < 9; lacks /= 10)
    decimals++;
  return decimals;
}

/** How many thresholds are tried: steps of 1 % of coverage. */
const steps = 100;

/**
 * The thresholds to try, the highest first: the quantiles of the confidences of other pairs than
 * those that will decide, such as those that fitted the judge. Since they do not depend on the pairs
 * that decide, they count as fixed; how well they are chosen changes how much is accepted, never
 * whether the promise holds. The last one accepts everything.
 *
 * @param confidences max(P, 1 - P) of the other pairs, in [0.5, 1], in any order; none gives steps of
 *   equal width from 1 to the least.
 * @param least the least confidence that there is: 0.5 of two answers.
 * @example triedThresholds([0.9, 0.6]).at(-1) // { threshold: 0.5, expectedCoverage: 1 }
 */
export function triedThresholds(confidences: readonly number[], least = 0.5): TriedThreshold[] {
  const sorted = Float64Array.from(confidences).sort().reverse();
  const tried: TriedThreshold[] = [];
  for (let step = 1; step <= steps; step++) {
    const expectedCoverage = step / steps;
    const threshold = step === steps ? least : upperQuantile(sorted, expectedCoverage, least);
    tried.push({ threshold, expectedCoverage });
  }
  return tried;
}

/** The value that a share of further values is expected to reach: of n values the i-th largest is reached by i / (n + 1). */
function upperQuantile(sorted: Float64Array, share: number, least: number): number {
  const n = sorted.length;
  if (n === 0) return 1 - share * (1 - least);
  const at = Math.min(Math.max(share * (n + 1) - 1, 0), n - 1);
  const before = Math.floor(at);
  const low = sorted[before] ?? least;
  const next = sorted[Math.min(before + 1, n - 1)] ?? low;
  return low + (next - low) * (at - before);
}
