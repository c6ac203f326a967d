import { largestOf } from "../../core/arrays.js";
import { listAt, listLength, type NumberLists } from "../../core/number-lists.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceSpread } from "../../stats/influence-error.js";
import {
  type IntervalOptions,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { drawWeights } from "../inference/row-draws.js";
import { sampledInterval } from "../inference/weighted-samples.js";
import {
  type Clustering,
  clusteringOf,
  clustersOf,
  drawnSamples,
  spreadInterval,
} from "./correlation-intervals.js";
import { measured, measures } from "./correlation-measures.js";
import type { CorrelationColumns } from "./correlation-row.js";

/** How far one rater follows the others: what a metric may hope for. */
export interface RatersCeiling extends Estimate {
  /** Rows with two ratings or more. */
  readonly n: number;
  /** The most ratings of a row that were compared. */
  readonly raters: number;
}

/** Of more raters the first so many are each compared with all others. */
const mostRaters = 8;
const tauB = measures.indexOf("kendallTauB");

/**
 * Kendall's tau-b of one rater's ratings with the mean of the others', the mean over raters: the first rating of each
 * row against its others, the second against its others, and so on.
 *
 * @param people the ratings of each row, in the order of the raters where these have columns.
 * @returns undefined where no row has two ratings.
 */
export function ratersCeiling(
  { names, rows, draws }: Pick<CorrelationColumns, "names" | "rows" | "draws">,
  people: NumberLists,
  asked: IntervalOptions = {},
): RatersCeiling | undefined {
  // Influences know no weights.
  const options =
    draws === undefined ? asked : { ...asked, interval: asked.interval ?? "percentile" };
  const several = rows.filter((row) => listLength(people, row) > 1 && countOf(people, row) > 1);
  if (several.length === 0) return undefined;
  const raters = Math.min(mostRaters, largestOf(several.map((row) => listLength(people, row))));
  const clustering = clusteringOf({ names, rows: several }, options);
  const weights = drawWeights(draws, several);
  const compared = Array.from({ length: raters }, (_, rater) =>
    oneAgainstOthers(several, people, { rater, weights }),
  ).filter(({ measured }) => !Number.isNaN(measured.values()[tauB] ?? Number.NaN));
  const about = { n: several.length, raters };
  if (compared.length === 0) return { ...undefinedEstimate("no rater's ratings vary"), ...about };
  const value = (weights?: Float64Array) =>
    compared.reduce((sum, one) => sum + (one.measured.values(weights)[tauB] ?? Number.NaN), 0) /
    compared.length;
  return {
    ...withInterval(value(), intervalOf(compared, value, clustering), {
      within: [-1, 1],
      whenNone: `no interval from one ${clustering.method.clusteredBy}`,
    }),
    ...about,
  };
}

type Compared = ReturnType<typeof oneAgainstOthers>;

function intervalOf(
  compared: readonly Compared[],
  value: (weights?: Float64Array) => number,
  clustering: Clustering,
) {
  if (clustering.clusters < 2) return undefined;
  const { method } = clustering;
  if (!isByInfluence(method.method)) {
    const samples = drawnSamples((weights) => [value(weights)], 1, clustering);
    return sampledInterval(value(), samples, 0);
  }
  const sums = new Float64Array(clustering.cluster.length);
  for (const { rows, measured: its } of compared) {
    const influence = its.influence("kendallTauB");
    for (const [at, row] of rows.entries()) {
      sums[row] = (sums[row] ?? 0) + (influence?.[at] ?? 0) / compared.length;
    }
  }
  const { cluster, clusters } = clustersOf(Int32Array.from(sums.keys()), clustering);
  return spreadInterval("kendallTauB", value(), influenceSpread(sums, cluster, clusters), method);
}

/** The ratings of one rater beside the mean of the others', of those of some rows that have both, by their places. */
function oneAgainstOthers(
  several: Int32Array,
  people: NumberLists,
  { rater, weights }: { readonly rater: number; readonly weights: Float64Array | undefined },
) {
  const ownOf = (row: number) => listAt(people, row)[rater] ?? Number.NaN;
  const rows = Int32Array.from(several.keys()).filter(
    (at) => !Number.isNaN(ownOf(several[at] ?? 0)),
  );
  const own = Float64Array.from(rows, (at) => ownOf(several[at] ?? 0));
  const others = Float64Array.from(rows, (at, place) => {
    const row = several[at] ?? 0;
    let sum = 0;
    for (const rating of listAt(people, row)) if (!Number.isNaN(rating)) sum += rating;
    return (sum - (own[place] ?? 0)) / (countOf(people, row) - 1);
  });
  return { rows, measured: measured(own, others, rows, { weights }) };
}

function countOf(people: NumberLists, row: number): number {
  let count = 0;
  for (const rating of listAt(people, row)) if (!Number.isNaN(rating)) count++;
  return count;
}
