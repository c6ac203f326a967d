import type { MeasuredColumn } from "./correlation-intervals.js";
import { measured } from "./correlation-measures.js";
import type { CorrelationRow } from "./correlation-row.js";

/** One metric's scores of the rated rows that it scored, with people's ratings of these. */
export interface Column extends MeasuredColumn {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
}

/** The metric at this place. */
export function columnOf(rated: readonly CorrelationRow[], at: number): Column {
  const places = new Int32Array(rated.length);
  const scored = new Float64Array(rated.length);
  const human = new Float64Array(rated.length);
  let count = 0;
  rated.forEach((row, place) => {
    const score = row.scores[at];
    if (score === null || score === undefined) return;
    places[count] = place;
    scored[count] = score;
    human[count] = row.human ?? 0;
    count += 1;
  });
  const rows = places.subarray(0, count);
  const scores = scored.subarray(0, count);
  const ratings = human.subarray(0, count);
  return { rows, scores, ratings, measured: measured(scores, ratings, rows) };
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
