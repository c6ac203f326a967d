import type { SignificanceConclusion } from "../../../analysis/calibration/significance.js";
import type { CsvRow } from "../../conclusions/flat-table.js";

/**
 * A row for each test, with how many rows each of the two methods left unscored and the bounds of the
 * method's score.
 */
export const significanceRows = ({ tests, scores }: SignificanceConclusion): CsvRow[] =>
  tests.map(({ metric, method, against, n, value, againstValue, difference, p, pAdjusted }) => {
    const scoreOf = (name: string) =>
      scores.find((score) => score.metric === metric && score.method === name);
    const own = scoreOf(method);
    return {
      metric,
      method,
      against,
      n,
      value,
      againstValue,
      difference,
      p,
      pAdjusted,
      unscored: own?.unscored ?? 0,
      bounds: own?.bounds ?? { low: null, high: null },
      againstUnscored: scoreOf(against)?.unscored ?? 0,
    };
  });
