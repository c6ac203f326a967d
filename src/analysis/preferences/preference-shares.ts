import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { type Clustering, twoWayError } from "../../stats/two-way-error.js";
import {
  estimate,
  type IntervalMethod,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import {
  type Compared,
  type ComparedCells,
  outcomes,
  type PreferenceClusters,
} from "./preference-cells.js";

/** Shares of a pair's comparisons, in [0, 1]: one preferred, the other, neither. */
export interface PreferenceShares {
  readonly a: Estimate;
  readonly b: Estimate;
  readonly tie: Estimate;
}

/** The shares of each pair, with intervals over whole clusters (annotators, where they are named). */
export function preferenceShares(
  { cells, places }: Compared,
  options: { readonly clusters: PreferenceClusters; readonly method: IntervalMethod },
): readonly PreferenceShares[] {
  const { method } = options;
  const { clusters } = options.clusters;
  const errorOf = sharedError(options.clusters, cells);
  if (errorOf !== undefined) return places.map((_, pair) => sharesOf(cells, { pair, errorOf }));
  const table = clusterSums({
    cluster: cells.cluster,
    group: cells.pair,
    columns: [
      ...outcomes.map((_, of) =>
        cells.count.map((count, cell) => (cells.outcome[cell] === of ? count : 0)),
      ),
      cells.count,
    ],
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

/** Half the width of a 95 % interval, in standard errors. */
const z = 1.959963984540054;

/** The shares of one pair, whose comparisons share annotators and prompts. */
function sharesOf(
  { pair: pairs, outcome: said, count }: ComparedCells,
  { pair, errorOf }: { readonly pair: number; readonly errorOf: SharedError },
): PreferenceShares {
  const own = count.map((each, cell) => (pairs[cell] === pair ? each : 0));
  const all = own.reduce((sum, each) => sum + each, 0);
  const [a, b, tie] = outcomes.map((_, outcome): Estimate => {
    const is = (cell: number) => (said[cell] === outcome ? 1 : 0);
    const share = own.reduce((sum, each, cell) => sum + is(cell) * each, 0) / all;
    const influence = own.map((each, cell) => ((is(cell) - share) * each) / all);
    const margin = z * errorOf(influence);
    return withInterval(share, [share - margin, share + margin], {
      within: [0, 1],
      whenNone: "no interval from one annotator",
    });
  });
  const none = undefinedEstimate("no row has a preference");
  return { a: a ?? none, b: b ?? none, tie: tie ?? none };
}

/** The standard error of a statistic, from by how much it moves with each cell. */
type SharedError = (influence: Float64Array) => number;

/** The standard error of what cells that share annotators and prompts give; undefined where none do. */
export function sharedError(
  { ways, cluster, clusters }: PreferenceClusters,
  cells: ComparedCells,
): SharedError | undefined {
  if (ways === undefined) return undefined;
  const both = { cluster: cells.cluster, clusters };
  const ofCells = (way: Clustering): Clustering => {
    const own = new Int32Array(clusters);
    for (const [row, place] of cluster.entries()) own[place] = way.cluster[row] ?? 0;
    return { cluster: both.cluster.map((place) => own[place] ?? 0), clusters: way.clusters };
  };
  const [one, other] = [ofCells(ways.annotator), ofCells(ways.prompt)];
  return (influence) => twoWayError(influence, { one, other, both });
}
