import { smallestOf } from "../../core/arrays.js";
import type { ClusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { clustersBehind, type RatioTerm } from "../../stats/ratio-statistic.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { noSpread } from "./intervals.js";

/**
 * A share that is 0 or 1, with the one-sided 95 % bound that its interval can't give: where none of
 * so many draws shows a thing, neither does any resample; see `shareAfterNone`. The bounds of the
 * percentile interval stay beside it, without width. Other shares come back as they are.
 *
 * @param draws how many independent draws the share is of.
 * @example withBoundAfter({ value: 0, low: 0, high: 0 }, () => 3).oneSided // { low: 0, high: 0.632 }
 */
export function withBoundAfter(share: Estimate, draws: () => number): Estimate {
  const { value } = share;
  return value === 0 || value === 1
    ? besideInterval(share, boundAfter(value, { draws: draws(), within: [0, 1] }))
    : share;
}

/**
 * How far a mean may be from the value that all draws showed, at 95 % confidence on either side: no more
 * than `shareAfterNone` of all can be unlike them, and these at most at an end of the range.
 *
 * @example boundAfter(1, { draws: 3, within: [-1, 1] }) // { low: -0.264, high: 1 }
 */
export function boundAfter(
  value: number,
  {
    draws,
    within: [least, most],
  }: { readonly draws: number; readonly within: readonly [low: number, high: number] },
): NonNullable<Estimate["oneSided"]> {
  const unlike = shareAfterNone(draws);
  return { low: value - unlike * (value - least), high: value + unlike * (most - value) };
}

/** An estimate whose resamples all agree, with bounds that say how far the truth may be. */
function besideInterval(
  { reason, ...estimate }: Estimate,
  oneSided: NonNullable<Estimate["oneSided"]>,
): Estimate {
  if (reason === noSpread) {
    return { ...estimate, low: estimate.value, high: estimate.value, oneSided };
  }
  return { ...estimate, ...(reason === undefined ? {} : { reason }), oneSided };
}

/**
 * The same of a ratio of sums. Of an average of shares the bound counts as many times the fewest
 * clusters behind one as there are shares, which is never too narrow.
 */
export function withOneSidedBound(
  share: Estimate,
  terms: readonly RatioTerm[],
  table: ClusterSums,
): Estimate {
  const fewest = () => smallestOf(terms.map((term) => clustersBehind(term, table)));
  return withBoundAfter(share, () => fewest() * terms.length);
}

/** A share minus another, where both have a one-sided bound and resamples therefore no spread. */
export function withDifferenceOfBounds(
  difference: Estimate,
  { oneSided: of }: Estimate,
  { oneSided: from }: Estimate,
): Estimate {
  if (of === undefined || from === undefined) return difference;
  const oneSided = {
    low: Math.max(-1, of.low - from.high),
    high: Math.min(1, of.high - from.low),
  };
  return besideInterval(difference, oneSided);
}

/**
 * On which side of a threshold the whole interval of an estimate lies, or its one-sided bound where it
 * has one; undefined where it holds the threshold. Where all resamples agree there is no interval, but
 * all that was drawn points one way: from six draws on (`fewestToTell`, for callers to check) chance
 * does that in less than one of twenty cases.
 *
 * @example whichSide({ value: 0.2, low: 0.1, high: 0.3 }) // "above"
 */
export function whichSide(
  { value, low, high, reason, oneSided }: Estimate,
  threshold = 0,
): "above" | "below" | undefined {
  if (value === null) return undefined;
  const agreed = reason === noSpread ? { low: value, high: value } : { low, high };
  const [from, to] = [oneSided?.low ?? agreed.low, oneSided?.high ?? agreed.high];
  if (from !== null && from > threshold) return "above";
  return to !== null && to < threshold ? "below" : undefined;
}
