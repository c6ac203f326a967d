import type { CalibrationConclusion } from "../../../analysis/calibration/calibration.js";
import { csvLine } from "../../../files/csv-text.js";

/** A row for each statistic, unrounded. */
export function calibrationCsv({ n, unscored, intervalsOf }: CalibrationConclusion): string {
  const lines = Object.entries(intervalsOf).map(([statistic, { value, low, high }]) =>
    csvLine([statistic, n, unscored, value, low, high]),
  );
  return [csvLine(["statistic", "n", "unscored", "value", "low", "high"]), ...lines].join("");
}
