import type { Estimate } from "../../stats/estimate.js";
import { undefinedEstimate } from "../inference/intervals.js";
import type { Sensitivity } from "./judge-conclusion.js";
import { type RowRatio, shareOf } from "./row-ratios.js";

interface DegradedRow {
  readonly degradation?: string | undefined;
  readonly level?: number | null | undefined;
}

/** Copies of each kind and strength, and what is to be estimated of them. */
export interface SensitivityRatios {
  readonly of: readonly Omit<Sensitivity, "share">[];
  readonly ratios: Readonly<Record<string, RowRatio>>;
}

const whenEmpty = "no copy was judged";

/**
 * What tells whether a judge sees that an image is degraded, by kind and strength.
 *
 * @param seen 1 where a row's degraded copy counts for less, 1/2 for as much, 0 for more; null where it is not known.
 */
export function sensitivityRatios<Row extends DegradedRow>(
  rows: readonly Row[],
  seen: (row: Row) => number | null,
): SensitivityRatios {
  const copies = new Map<string, { degradation: string; level: number; values: Float64Array }>();
  for (const [at, row] of rows.entries()) {
    const { degradation, level: given } = row;
    const level = given ?? 1;
    const share = degradation === undefined || level === 0 ? null : seen(row);
    if (degradation === undefined || share === null) continue;
    const its = copies.get(nameOf({ degradation, level })) ?? {
      degradation,
      level,
      values: new Float64Array(rows.length).fill(Number.NaN),
    };
    its.values[at] = share;
    copies.set(nameOf({ degradation, level }), its);
  }
  const all = [...copies.values()].sort((a, b) =>
    a.degradation < b.degradation ? -1 : a.degradation > b.degradation ? 1 : a.level - b.level,
  );
  return {
    of: all.map(({ degradation, level, values }) => ({
      degradation,
      level,
      n: values.filter((value) => !Number.isNaN(value)).length,
    })),
    ratios: Object.fromEntries(all.map((one) => [nameOf(one), shareOf(one.values, whenEmpty)])),
  };
}

const nameOf = ({ degradation, level }: Pick<Sensitivity, "degradation" | "level">) =>
  `seen ${degradation} ${level}`;

export const sensitivityFrom = (
  { of }: SensitivityRatios,
  estimates: Readonly<Record<string, Estimate>>,
): Sensitivity[] =>
  of.map((one) => ({ ...one, share: estimates[nameOf(one)] ?? undefinedEstimate(whenEmpty) }));
