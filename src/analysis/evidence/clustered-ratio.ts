import type { Estimate } from "../../stats/estimate.js";
import { influenceMargin, spreadError, spreadOf } from "../../stats/influence-error.js";
import { undefinedEstimate, withInterval } from "../inference/intervals.js";

/** An estimate with its standard error, null where there is none. */
export interface Measured extends Estimate {
  readonly error: number | null;
}

/** A ratio of sums over clusters, and by how much it moves with each. */
export interface ClusteredRatio {
  readonly measured: Measured;
  /** A place for each cluster; 0 where it takes no part. */
  readonly influence: Float64Array;
  /** Clusters that take part. */
  readonly clusters: number;
}

/**
 * Sum of `above` over sum of `below`, with Student's t interval over whole clusters (Taylor linearisation,
 * Cochran, "Sampling Techniques" (1977), 6.19).
 *
 * @param sums by cluster; a cluster takes part where `takes` is above 0.
 * @param within where the ratio can lie; bounds are cut there.
 */
export function clusteredRatio(
  {
    above,
    below,
    takes = below,
  }: {
    readonly above: Float64Array;
    readonly below: Float64Array;
    readonly takes?: Float64Array;
  },
  {
    within,
    whenEmpty,
  }: { readonly within?: readonly [number, number]; readonly whenEmpty: string },
): ClusteredRatio {
  const whole = below.reduce((sum, one) => sum + one, 0);
  const value = above.reduce((sum, one) => sum + one, 0) / whole;
  const influence = above.map((one, at) => (one - value * (below[at] ?? 0)) / whole);
  const spread = spreadOf(influence.filter((_, at) => (takes[at] ?? 0) > 0));
  const clusters = spread.clusters;
  if (!Number.isFinite(value)) {
    const measured = { ...undefinedEstimate(whenEmpty), error: null };
    return { measured, influence: new Float64Array(above.length), clusters };
  }
  const error = spreadError(spread);
  const margin = influenceMargin("t", spread);
  const interval = Number.isFinite(margin)
    ? ([value - margin, value + margin] as const)
    : undefined;
  const estimate = withInterval(value, interval, {
    ...(within && { within }),
    whenNone: "no interval from one prompt",
  });
  return {
    measured: { ...estimate, error: error > 0 ? error : null },
    influence,
    clusters,
  };
}
