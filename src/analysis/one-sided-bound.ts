import type { ClusterSums } from "../stats/cluster-sums.js";
import type { Estimate } from "../stats/estimate.js";
import { clustersBehind, type RatioTerm } from "../stats/ratio-statistic.js";
import { shareAfterNone } from "../stats/share-after-none.js";

/**
 * A share that is 0 or 1, with the one-sided 95 % bound that its interval can't give: where no
 * cluster shows a thing, neither does any resample. Other shares come back as they are. Of an
 * average of shares the bound counts as many times the fewest clusters behind one as there are
 * shares, which is never too narrow; see `shareAfterNone`.
 */
export function withOneSidedBound(
  share: Estimate,
  terms: readonly RatioTerm[],
  table: ClusterSums,
): Estimate {
  if (share.value !== 0 && share.value !== 1) return share;
  const fewest = Math.min(...terms.map((term) => clustersBehind(term, table)));
  const width = shareAfterNone(fewest * terms.length);
  const oneSided = share.value === 0 ? { low: 0, high: width } : { low: 1 - width, high: 1 };
  return { ...share, oneSided };
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
  return { ...difference, oneSided };
}
