import type { SignificanceConclusion } from "../../../analysis/calibration/significance.js";
import { csvLine } from "../../../files/csv-text.js";

/**
 * A row for each test, with how many rows each of the two methods left unscored and the bounds of the
 * method's score; unrounded.
 */
export function significanceCsv({ tests, scores }: SignificanceConclusion): string {
  const columns = [
    ...(["metric", "method", "against", "n", "value", "againstValue"] as const),
    ...(["difference", "p", "pAdjusted"] as const),
  ];
  const more = ["unscored", "boundsLow", "boundsHigh", "againstUnscored"];
  return [
    csvLine([...columns, ...more]),
    ...tests.map((test) => {
      const scoreOf = (method: string) =>
        scores.find((score) => score.metric === test.metric && score.method === method);
      const own = scoreOf(test.method);
      return csvLine([
        ...columns.map((column) => test[column]),
        ...[own?.unscored ?? 0, own?.bounds.low ?? null, own?.bounds.high ?? null],
        scoreOf(test.against)?.unscored ?? 0,
      ]);
    }),
  ].join("");
}
