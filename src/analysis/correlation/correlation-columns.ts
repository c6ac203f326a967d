import type { CorrelationRow } from "./correlation.js";
import type { MeasuredColumn } from "./correlation-intervals.js";
import { measured } from "./correlation-measures.js";

/** One metric's scores of the rated rows that it scored, with people's ratings of these. */
export interface Column extends MeasuredColumn {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
}

/** The metric at this place. */
export function columnOf(rated: readonly CorrelationRow[], at: number): Column {
  const rows = rated.flatMap(({ scores }, row) => (isNumber(scores[at]) ? [row] : []));
  const scores = Float64Array.from(rows, (row) => rated[row]?.scores[at] ?? 0);
  const ratings = Float64Array.from(rows, (row) => rated[row]?.human ?? 0);
  const places = Int32Array.from(rows);
  return { rows: places, scores, ratings, measured: measured(scores, ratings, places) };
}

/** Why a column has no correlation. */
export function whyUndefined({ scores, ratings }: Column): string {
  if (scores.length < 2)
    return `${scores.length === 0 ? "no row has" : "only one row has"} a score and a rating`;
  const isConstant = (values: Float64Array) => values.every((value) => value === values[0]);
  return isConstant(ratings)
    ? "people rated every row the same"
    : "the metric scored every row the same";
}

export const isNumber = (score: number | null | undefined) => score !== null && score !== undefined;
