import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { estimate, type IntervalMethod, undefinedEstimate } from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { numbered } from "../pairs/pair-sums.js";
import type { AuditedPair, CompletePair } from "./audited-rows.js";

type Placed = Pick<AuditedPair, "category" | "query" | "model">;

/** Sets of images by their index before and after. */
export interface ChangedPairs {
  readonly complete: readonly (Placed & Pick<CompletePair, "initial" | "refined">)[];
  /** Pairs without an answer before or after. */
  readonly dropped: readonly Placed[];
}

/** Some of the pairs: those of a category, of a model, of both, or all. */
export interface AuditScope {
  readonly category?: string | undefined;
  readonly model?: string | undefined;
}

/** The mean index before and after over complete pairs, in [0, 1]; null without one. */
export interface IndexChange {
  readonly initial: number | null;
  readonly refined: number | null;
  /** Initial minus refined, with an interval that draws whole queries. */
  readonly difference: Estimate;
  /** Share of the initial index that is gone, (initial - refined) / initial, with such an interval. */
  readonly fall?: Estimate;
  /** Complete pairs. */
  readonly pairs: number;
  /** Pairs without any answer before or after; they are in nothing else. */
  readonly dropped: number;
}

export const isWithin = (
  { category, model }: AuditScope,
  pair: Pick<Placed, "category" | "model">,
) =>
  (category === undefined || pair.category === category) &&
  (model === undefined || pair.model === model);

/**
 * The change within each scope, all intervals from the same resamples.
 *
 * @param within where a difference can lie; where not given, values are an index between 0 and 1, and
 *   the fall is estimated as well.
 */
export function indexChanges(
  { complete, dropped }: ChangedPairs,
  scopes: readonly AuditScope[],
  method: IntervalMethod,
  within?: readonly [low: number, high: number],
): IndexChange[] {
  const { cluster, count } = queryClusters(complete);
  const leafOf = ({ category, model }: Placed) => JSON.stringify([category, model]);
  const { names, numberOf } = numbered(complete.map(leafOf));
  const table = clusterSums({
    cluster,
    group: Int32Array.from(complete, (pair) => numberOf(leafOf(pair))),
    columns: [
      new Float64Array(complete.length).fill(1),
      Float64Array.from(complete, ({ initial, refined }) => initial - refined),
      Float64Array.from(complete, ({ initial }) => initial),
    ],
    clusters: count,
    groups: names.length,
  });
  const whenEmpty = "no complete pair";
  const pairsOf = scopes.map((scope) => complete.filter((pair) => isWithin(scope, pair)));
  const groupsOf = pairsOf.map((pairs) => [
    ...new Set(pairs.map((pair) => numberOf(leafOf(pair)))),
  ]);
  const changed = { weight: 1, numerator: 1 };
  const estimates = estimate(
    table,
    [
      ...groupsOf.map((groups) => ({
        terms: [{ ...changed, groups, denominator: 0, whenEmpty }],
        within: within ?? ([-1, 1] as const),
      })),
      ...(within === undefined ? groupsOf : []).map((groups) => ({
        terms: [{ ...changed, groups, denominator: 2, whenEmpty: "the index was 0 before" }],
      })),
    ],
    method,
  );
  return scopes.map((scope, index) => {
    const pairs = pairsOf[index] ?? [];
    const fall = estimates[scopes.length + index];
    return {
      initial: meanOf(pairs, "initial"),
      refined: meanOf(pairs, "refined"),
      difference: estimates[index] ?? undefinedEstimate(whenEmpty),
      ...(fall === undefined ? {} : { fall }),
      pairs: pairs.length,
      dropped: dropped.filter((pair) => isWithin(scope, pair)).length,
    };
  });
}

/** All pairs of a query are drawn together. */
export const queryClusters = (pairs: readonly Placed[]) =>
  promptClusters(pairs.map(({ query }) => ({ id: query, prompt: query })));

function meanOf(pairs: ChangedPairs["complete"], phase: "initial" | "refined"): number | null {
  if (pairs.length === 0) return null;
  return pairs.reduce((sum, pair) => sum + pair[phase], 0) / pairs.length;
}
