import type { Estimate } from "../stats/estimate.js";
import { radixOrder } from "../stats/radix-order.js";
import { curvePoints } from "./ensemble-experiment-metrics.js";

/** How many of the surest answers are wrong. */
export interface CoverageError {
  /** Their share of all, in (0, 1]. */
  readonly coverage: number;
  readonly error: Estimate;
}

/** The shares of answers at which errors are counted: a twentieth of them, and so on to all. */
export const curveCoverages: readonly number[] = Array.from(
  { length: curvePoints },
  (_, point) => (point + 1) / curvePoints,
);

/**
 * Error over coverage of one fit in every resample, as `errorCoverage` has it: of equally sure answers
 * all are accepted or none, so a point may accept a few more than its share.
 *
 * @param weights how often each pair counts, for each resample.
 * @returns a function of predictions that gives the share of wrong answers at [point][resample].
 */
export function resampledCurve(
  labels: Uint8Array,
  weights: readonly Float64Array[],
): (prediction: Float64Array) => Float64Array[] {
  const rows = labels.length;
  const totals = weights.map((weight) => weight.reduce((sum, times) => sum + times, 0));
  const doubt = new Float64Array(rows);
  const wrongAt = new Uint8Array(rows);
  return (prediction) => {
    for (let row = 0; row < rows; row++) {
      const p = prediction[row] ?? Number.NaN;
      doubt[row] = -Math.max(p, 1 - p);
    }
    const { order, isNewAt } = radixOrder(doubt);
    const isLast = new Uint8Array(rows);
    for (let place = 0; place < rows; place++) {
      const row = order[place] ?? 0;
      wrongAt[place] = ((prediction[row] ?? Number.NaN) >= 0.5 ? 1 : 0) === labels[row] ? 0 : 1;
      isLast[place] = place === rows - 1 || isNewAt(place + 1) ? 1 : 0;
    }
    const errors = curveCoverages.map(() => new Float64Array(weights.length));
    weights.forEach((weight, resample) => {
      const total = totals[resample] ?? 0;
      let accepted = 0;
      let wrong = 0;
      let point = 0;
      for (let place = 0; place < rows && point < curvePoints; place++) {
        const times = weight[order[place] ?? 0] ?? 0;
        accepted += times;
        wrong += times * (wrongAt[place] ?? 0);
        if (isLast[place] === 0) continue;
        for (; point < curvePoints && accepted * curvePoints >= (point + 1) * total; point++) {
          const at = errors[point];
          if (at) at[resample] = wrong / accepted;
        }
      }
    });
    return errors;
  };
}
