import type { Estimate } from "../../stats/estimate.js";
import { undefinedEstimate } from "../inference/intervals.js";
import type { Sensitivity } from "./judge-conclusion.js";
import { type RowRatio, shareOf } from "./row-ratios.js";

interface DegradedRow {
  readonly degradation?: string | undefined;
  readonly level?: number | null | undefined;
}

/** The strongest copies of each kind, and what is to be estimated of them. */
export interface SensitivityRatios {
  readonly of: readonly Omit<Sensitivity, "share">[];
  readonly ratios: Readonly<Record<string, RowRatio>>;
}

/**
 * What tells whether a judge sees that an image is degraded, by kind, at the strongest level that there is.
 *
 * @param seen 1 where a row's degraded copy counts for less, 1/2 for as much, 0 for more; null where it is not known.
 */
export function sensitivityRatios<Row extends DegradedRow>(
  rows: readonly Row[],
  seen: (row: Row) => number | null,
): SensitivityRatios {
  const strongest = new Map<string, number>();
  for (const { degradation, level } of rows) {
    if (degradation === undefined || level === 0) continue;
    strongest.set(degradation, Math.max(level ?? 1, strongest.get(degradation) ?? 0));
  }
  const of: Omit<Sensitivity, "share">[] = [];
  const ratios: Record<string, RowRatio> = {};
  for (const [degradation, level] of [...strongest].sort()) {
    const values = Float64Array.from(rows, (row) =>
      row.degradation === degradation && (row.level ?? 1) === level
        ? (seen(row) ?? Number.NaN)
        : Number.NaN,
    );
    const n = values.filter((value) => !Number.isNaN(value)).length;
    if (n === 0) continue;
    of.push({ degradation, level, n });
    ratios[`seen ${degradation}`] = shareOf(values, "no copy was judged");
  }
  return { of, ratios };
}

export const sensitivityFrom = (
  { of }: SensitivityRatios,
  estimates: Readonly<Record<string, Estimate>>,
): Sensitivity[] =>
  of.map((one) => ({
    ...one,
    share: estimates[`seen ${one.degradation}`] ?? undefinedEstimate("no copy was judged"),
  }));
