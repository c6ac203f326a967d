import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { type Direction, outcomeOf, type PairRow } from "./pair-sums.js";
import type { TieOptions } from "./score-ties.js";

export interface ComparedFailures extends TieOptions {
  readonly metric: string;
  readonly than: string;
  readonly direction?: Direction | undefined;
  /** How a tie counts: as a failure (default), as half of one, or not as one. */
  readonly ties?: "fail" | "half" | "apart";
}

/** A row that both metrics scored. */
export interface FailureDifference extends Pick<PairRow, "id" | "prompt"> {
  /** Failures (or misranking) of one minus those of the other, in [-1, 1]. */
  readonly value: number;
}

const tieCounts = { fail: 1, half: 0.5, apart: 0 } as const;

/** Differences in failure, one for each pair of rows (same id) that both metrics scored. */
export function failureDifferences(
  rows: readonly PairRow[],
  { metric, than, direction = "higher", ties = "fail", tieTolerance }: ComparedFailures,
): FailureDifference[] {
  return differences(rows, { metric, than }, ({ correct, adversarial }) => {
    const outcome = outcomeOf(correct, adversarial, { direction, tieTolerance });
    if (outcome === "tie") return tieCounts[ties];
    return outcome === "fail" ? 1 : 0;
  });
}

/**
 * Differences in misranking, one for each pair of rows that both metrics scored: how far the wrong image scores
 * above the right one, 0 where it does not, as a share of the metric's range.
 *
 * @param rows of which more is better
 * @param options.widths of the metrics' ranges, by metric
 */
export const misrankingDifferences = (
  rows: readonly PairRow[],
  {
    widths,
    ...compared
  }: Pick<ComparedFailures, "metric" | "than"> & { readonly widths: ReadonlyMap<string, number> },
): FailureDifference[] =>
  differences(
    rows,
    compared,
    ({ metric, correct, adversarial }) =>
      Math.max(0, adversarial - correct) / (widths.get(metric) ?? 1),
  );

type ScoredPair = PairRow & { readonly correct: number; readonly adversarial: number };

function differences(
  rows: readonly PairRow[],
  { metric, than }: Pick<ComparedFailures, "metric" | "than">,
  counted: (row: ScoredPair) => number,
): FailureDifference[] {
  const countOf = (row: PairRow | undefined) =>
    row !== undefined && isScored(row) ? counted(row) : undefined;
  const its = rows.filter((row) => row.metric === metric);
  const others = partners(
    its,
    rows.filter((row) => row.metric === than),
  );
  const found: FailureDifference[] = [];
  for (const [at, row] of its.entries()) {
    const one = countOf(row);
    const other = countOf(others(row, at));
    if (one === undefined || other === undefined) continue;
    found.push({ id: row.id, prompt: row.prompt, value: one - other });
  }
  return found;
}

const isScored = (row: PairRow): row is ScoredPair =>
  row.correct !== null && row.adversarial !== null;

/** Returns a look-up of the row of the same id: at the same place, where all stand in one order. */
function partners(
  its: readonly PairRow[],
  others: readonly PairRow[],
): (row: PairRow, at: number) => PairRow | undefined {
  const areAligned =
    its.length === others.length && its.every(({ id }, at) => id === others[at]?.id);
  if (areAligned) return (_, at) => others[at];
  const byId = new Map(others.map((row) => [row.id, row]));
  return ({ id }) => byId.get(id);
}

/**
 * Failure rate (ProtoBias Eq. 5) of `metric` minus that of `than`, in [-1, 1], on the rows (same
 * id) that both scored: a paired comparison, prompts drawn as everywhere. With `ties: "apart"` a tie is
 * no failure, as in the attribute swap test; with "half" it is as much of one as a coin would make it.
 */
export function failureRateDifference(
  rows: readonly PairRow[],
  options: IntervalOptions & ComparedFailures,
): Estimate & { readonly n: number } {
  return meanDifference(failureDifferences(rows, options), options);
}

/** The mean of what two metrics' rows differ by, in [-1, 1]; prompts are drawn as everywhere. */
export function meanDifference(
  both: readonly FailureDifference[],
  options: IntervalOptions,
): Estimate & { readonly n: number } {
  const { cluster, count } = promptClusters(both);
  const method = intervalMethod(options, {
    clusters: count,
    clusteredBy: both.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
  });
  const table = clusterSums({
    cluster,
    group: new Int32Array(both.length),
    columns: [new Float64Array(both.length).fill(1), Float64Array.from(both, ({ value }) => value)],
    clusters: count,
    groups: 1,
  });
  const whenEmpty = "no row is scored by both";
  const term = { weight: 1, groups: [0], numerator: 1, denominator: 0, whenEmpty };
  const [difference] = estimate(table, [{ terms: [term], within: [-1, 1] }], method);
  return { ...(difference ?? undefinedEstimate(whenEmpty)), n: both.length };
}
