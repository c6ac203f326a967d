import { clusterSums } from "../stats/cluster-sums.js";
import type { Estimate } from "../stats/estimate.js";
import { estimate, type IntervalOptions, intervalMethod, undefinedEstimate } from "./intervals.js";
import { type Direction, outcomeOf, type PairRow } from "./pair-sums.js";
import { promptClusters } from "./prompt-clusters.js";
import type { TieOptions } from "./score-ties.js";

/**
 * Failure rate (ProtoBias Eq. 5) of `metric` minus that of `than`, in [-1, 1], on the rows (same
 * id) that both scored: a paired comparison, prompts drawn as everywhere. With `ties: "apart"` a tie is
 * no failure, as in the attribute swap test.
 */
export function failureRateDifference(
  rows: readonly PairRow[],
  {
    metric,
    than,
    direction = "higher",
    ties = "fail",
    tieTolerance,
    ...options
  }: IntervalOptions &
    TieOptions & {
      readonly metric: string;
      readonly than: string;
      readonly direction?: Direction | undefined;
      readonly ties?: "fail" | "apart";
    },
): Estimate & { readonly n: number } {
  const failed = (row: PairRow | undefined) => {
    if (row === undefined || row.correct === null || row.adversarial === null) return undefined;
    const outcome = outcomeOf(row.correct, row.adversarial, { direction, tieTolerance });
    return Number(outcome === "fail" || (outcome === "tie" && ties === "fail"));
  };
  const others = new Map(rows.filter((row) => row.metric === than).map((row) => [row.id, row]));
  const both: PairRow[] = [];
  const differences: number[] = [];
  for (const row of rows) {
    if (row.metric !== metric) continue;
    const one = failed(row);
    const other = failed(others.get(row.id));
    if (one === undefined || other === undefined) continue;
    both.push(row);
    differences.push(one - other);
  }
  const { cluster, count } = promptClusters(both);
  const method = intervalMethod(options, {
    clusters: count,
    clusteredBy: both.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
  });
  const table = clusterSums({
    cluster,
    group: new Int32Array(both.length),
    columns: [new Float64Array(both.length).fill(1), Float64Array.from(differences)],
    clusters: count,
    groups: 1,
  });
  const whenEmpty = "no row is scored by both";
  const term = { weight: 1, groups: [0], numerator: 1, denominator: 0, whenEmpty };
  const [difference] = estimate(table, [{ terms: [term], within: [-1, 1] }], method);
  return { ...(difference ?? undefinedEstimate(whenEmpty)), n: both.length };
}
