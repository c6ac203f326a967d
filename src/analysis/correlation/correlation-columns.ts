import { once } from "../../core/cache.js";
import { picked, placesWith } from "../../core/row-codes.js";
import { centre } from "../../stats/pearson.js";
import { type Ranked, ranked } from "../../stats/ranked.js";
import { drawWeights } from "../inference/row-draws.js";
import type { MeasuredColumn } from "./correlation-intervals.js";
import { measured } from "./correlation-measures.js";
import type { CorrelationColumns } from "./correlation-row.js";

/** One metric's scores of the rated rows that it scored, with people's ratings of these. */
export interface Column extends MeasuredColumn {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
}

/** The metric at each of some places; those that scored all rows share the order of the ratings. */
export function columnsAt(
  { human, scores: ofMetrics, draws }: CorrelationColumns,
  places: readonly number[],
): Column[] {
  const weights = draws && drawWeights(draws, Int32Array.from(human.keys()));
  let order: Ranked | undefined;
  let all: Int32Array | undefined;
  const ofY = once(() => centre(human));
  return places.map((at) => {
    const scores = ofMetrics[at] ?? new Float64Array();
    const rows = placesWith(human.length, [scores]);
    if (rows.length === human.length) {
      order ??= ranked(human);
      all ??= rows;
      return {
        rows: all,
        scores,
        ratings: human,
        measured: measured(scores, human, rows, { y: order, ofY, weights }),
      };
    }
    const own = { scores: picked(scores, rows), ratings: picked(human, rows) };
    return { rows, ...own, measured: measured(own.scores, own.ratings, rows, { weights }) };
  });
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
