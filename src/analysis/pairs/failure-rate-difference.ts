import { nameCount, textAt } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { clusteredMean, meanByPrompt } from "../inference/clustered-mean.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { drawWeights } from "../inference/row-draws.js";
import { type Direction, outcomeOf, type PairRow, PairTable } from "./pair-sums.js";
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

export const tieCounts = { fail: 1, half: 0.5, apart: 0 } as const;

/** Differences in failure, one for each pair of rows (same id) that both metrics scored. */
export const failureDifferences = (
  table: PairTable,
  compared: ComparedFailures,
): FailureDifference[] => named(table, failuresApart(table, compared));

/**
 * Differences in misranking, one for each pair of rows that both metrics scored: how far the wrong image scores
 * above the right one, 0 where it does not, as a share of the metric's range.
 *
 * @param rows of which more is better
 * @param options.widths of the metrics' ranges, by metric
 */
export const misrankingDifferences = (
  table: PairTable,
  {
    widths,
    ...compared
  }: Pick<ComparedFailures, "metric" | "than"> & { readonly widths: ReadonlyMap<string, number> },
): FailureDifference[] =>
  named(
    table,
    apart(
      table,
      compared,
      (correct, adversarial, metric) =>
        Math.max(0, adversarial - correct) / (widths.get(metric) ?? 1),
    ),
  );

/** The rows of the first metric that both scored, and what they differ by. */
interface Differences {
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

const named = (
  { columns: { id, prompt } }: PairTable,
  { rows, values }: Differences,
): FailureDifference[] =>
  Array.from(rows, (row, at) => ({
    id: textAt(id, row) ?? "",
    prompt: textAt(prompt, row),
    value: values[at] ?? 0,
  }));

const failuresApart = (
  table: PairTable,
  { direction = "higher", ties = "fail", tieTolerance, ...compared }: ComparedFailures,
): Differences =>
  apart(table, compared, (correct, adversarial) => {
    const outcome = outcomeOf(correct, adversarial, { direction, tieTolerance });
    if (outcome === "tie") return tieCounts[ties];
    return outcome === "fail" ? 1 : 0;
  });

function apart(
  table: PairTable,
  { metric, than }: Pick<ComparedFailures, "metric" | "than">,
  counted: (correct: number, adversarial: number, metric: string) => number,
): Differences {
  const { id, correct, adversarial } = table.columns;
  const partner = new Int32Array(nameCount(id)).fill(-1);
  const others = table.rowsOf(than);
  for (let at = 0; at < others.length; at++) {
    const row = others[at] ?? 0;
    if (table.isScored(row)) partner[id.codes[row] ?? 0] = row;
  }
  const rows = table.rowsOf(metric).slice();
  const values = new Float64Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const other = partner[id.codes[row] ?? 0] ?? -1;
    if (other < 0 || !table.isScored(row)) continue;
    rows[count] = row;
    values[count] =
      counted(correct[row] ?? 0, adversarial[row] ?? 0, metric) -
      counted(correct[other] ?? 0, adversarial[other] ?? 0, than);
    count += 1;
  }
  return { rows: rows.subarray(0, count), values: values.subarray(0, count) };
}

/**
 * Failure rate (ProtoBias Eq. 5) of `metric` minus that of `than`, in [-1, 1], on the rows (same
 * id) that both scored: a paired comparison, prompts drawn as everywhere. With `ties: "apart"` a tie is
 * no failure, as in the attribute swap test; with "half" it is as much of one as a coin would make it.
 */
export const failureRateDifference = (
  rows: readonly PairRow[],
  options: IntervalOptions & ComparedFailures,
): Estimate & { readonly n: number } => failureRateDifferenceOf(PairTable.of(rows), options);

/** The same of rows by column. */
export function failureRateDifferenceOf(
  table: PairTable,
  options: IntervalOptions & ComparedFailures,
): Estimate & { readonly n: number } {
  const { rows: places, values } = failuresApart(table, options);
  const { prompt } = table.columns;
  const isPrompted = places.some((row) => (prompt.codes[row] ?? -1) >= 0);
  return clusteredMean(
    values,
    {
      ...table.clusters(places),
      isPrompted,
      weights: drawWeights(table.columns.draws, places),
    },
    { ...options, ...differenceOptions },
  );
}

/** The mean of what two metrics' rows differ by, in [-1, 1]; prompts are drawn as everywhere. */
export const meanDifference = (
  both: readonly FailureDifference[],
  options: IntervalOptions,
): Estimate & { readonly n: number } => meanByPrompt(both, { ...options, ...differenceOptions });

/** How the mean of differences of two shares is estimated. */
export const differenceOptions = {
  within: [-1, 1],
  whenEmpty: "no row is scored by both",
} as const;
