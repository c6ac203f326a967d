import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { estimate, type IntervalMethod, undefinedEstimate } from "../inference/intervals.js";
import type { Compared } from "./preference-cells.js";

/** Shares of a pair's comparisons, in [0, 1]: one preferred, the other, neither. */
export interface PreferenceShares {
  readonly a: Estimate;
  readonly b: Estimate;
  readonly tie: Estimate;
}

/** The shares of each pair, with intervals over whole clusters (annotators, where they are named). */
export function preferenceShares(
  { cells, places }: Compared,
  { clusters, method }: { readonly clusters: number; readonly method: IntervalMethod },
): readonly PreferenceShares[] {
  const outcomes = ["a", "b", "tie"] as const;
  const column = (of: (typeof outcomes)[number] | undefined) =>
    Float64Array.from(cells, ({ outcome, count }) =>
      of === undefined || outcome === of ? count : 0,
    );
  const table = clusterSums({
    cluster: Int32Array.from(cells, ({ cluster }) => cluster),
    group: Int32Array.from(cells, ({ pair }) => pair),
    columns: [...outcomes.map(column), column(undefined)],
    clusters,
    groups: places.length,
  });
  const whenEmpty = "no row has a preference";
  const found = estimate(
    table,
    places.flatMap((_, pair) =>
      outcomes.map((_, numerator) => ({
        terms: [{ weight: 1, groups: [pair], numerator, denominator: 3, whenEmpty }],
        within: [0, 1] as const,
      })),
    ),
    method,
  );
  const at = (place: number) => found[place] ?? undefinedEstimate(whenEmpty);
  return places.map((_, pair) => ({
    a: at(3 * pair),
    b: at(3 * pair + 1),
    tie: at(3 * pair + 2),
  }));
}
