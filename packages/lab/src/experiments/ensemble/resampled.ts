import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { radixOrder } from "touchstone-t2i/internal/stats/radix-order.js";
import { confidenceBin } from "touchstone-t2i/internal/stats/reliability-bins.js";
import { curvePoints } from "./metrics.js";

/** Metrics that decide claims about held-out pairs. */
export const heldOutMetrics = ["ece", "nll", "brier", "accuracy", "errorCoverageArea"] as const;
export type HeldOutMetric = (typeof heldOutMetrics)[number];

/** Sums over the fits of a method in ten bins of confidence. */
export interface PooledReliability {
  readonly n: Float64Array;
  /** Right answers. */
  readonly right: Float64Array;
  readonly confidence: Float64Array;
}

const bins = 10;

/** Returns bins without an answer. */
export const emptyReliability = (): PooledReliability => ({
  n: new Float64Array(bins),
  right: new Float64Array(bins),
  confidence: new Float64Array(bins),
});

/**
 * Measures one fit's predictions in every resample. Each pair's part of a metric is computed once, and
 * pairs are sorted once.
 *
 * @param weights number of times each pair counts, at [resample][pair].
 * @returns a function of predictions. It adds them to `reliability` and returns the metrics at
 *   [metric][resample].
 */
export function resampledRun(
  labels: Uint8Array,
  weights: readonly Float64Array[],
): (prediction: Float64Array, reliability: PooledReliability) => Float64Array[] {
  const rows = labels.length;
  const bin = new Uint8Array(rows);
  const gap = new Float64Array(rows);
  const loss = new Float64Array(rows);
  const square = new Float64Array(rows);
  const right = new Uint8Array(rows);
  const sums = new Float64Array(bins);
  return (prediction, reliability) => {
    for (let row = 0; row < rows; row++) {
      const probability = prediction[row] ?? 0.5;
      const label = labels[row] ?? 0;
      const confidence = Math.max(probability, 1 - probability);
      const isRight = (probability >= 0.5 ? 1 : 0) === label ? 1 : 0;
      const at = confidenceBin(confidence, bins);
      bin[row] = at;
      right[row] = isRight;
      gap[row] = isRight - confidence;
      const given = label === 1 ? probability : 1 - probability;
      loss[row] = -Math.log(Math.max(1e-15, given));
      square[row] = (probability - label) ** 2;
      reliability.n[at] = (reliability.n[at] ?? 0) + 1;
      reliability.right[at] = (reliability.right[at] ?? 0) + isRight;
      reliability.confidence[at] = (reliability.confidence[at] ?? 0) + confidence;
    }
    const { order, isLast } = surestFirst(prediction);
    const values = heldOutMetrics.map(() => new Float64Array(weights.length));
    const [ece, nll, brier, accuracy, area] = values;
    weights.forEach((weight, resample) => {
      sums.fill(0);
      let total = 0;
      let losses = 0;
      let squares = 0;
      let rights = 0;
      let accepted = 0;
      let wrong = 0;
      let under = 0;
      let before = 0;
      for (let place = 0; place < rows; place++) {
        const row = order[place] ?? 0;
        const times = weight[row] ?? 0;
        const at = bin[row] ?? 0;
        sums[at] = (sums[at] ?? 0) + times * (gap[row] ?? 0);
        total += times;
        losses += times * (loss[row] ?? 0);
        squares += times * (square[row] ?? 0);
        rights += times * (right[row] ?? 0);
        accepted += times;
        wrong += times * (1 - (right[row] ?? 0));
        if (isLast[place] === 1 && accepted > before) {
          under += ((accepted - before) * wrong) / accepted;
          before = accepted;
        }
      }
      let gaps = 0;
      for (const sum of sums) gaps += Math.abs(sum);
      if (ece) ece[resample] = gaps / total;
      if (nll) nll[resample] = losses / total;
      if (brier) brier[resample] = squares / total;
      if (accuracy) accuracy[resample] = rights / total;
      if (area) area[resample] = under / total;
    });
    return values;
  };
}

/** Share of wrong answers among the surest. */
export interface CoverageError {
  /** Share of answers that are accepted, in (0, 1]. */
  readonly coverage: number;
  readonly error: Estimate;
}

/** Shares of answers at which errors are counted: 1/20, 2/20, … 1. */
export const curveCoverages: readonly number[] = Array.from(
  { length: curvePoints },
  (_, point) => (point + 1) / curvePoints,
);

/**
 * Computes error over coverage of one fit in every resample, as `errorCoverage` does: equally sure answers
 * are accepted together, so a point can accept more than its share.
 *
 * @param weights number of times each pair counts, at [resample][pair].
 * @returns a function of predictions that returns the share of wrong answers at [point][resample].
 */
export function resampledCurve(
  labels: Uint8Array,
  weights: readonly Float64Array[],
): (prediction: Float64Array) => Float64Array[] {
  const rows = labels.length;
  const totals = weights.map((weight) => weight.reduce((sum, times) => sum + times, 0));
  const wrongAt = new Uint8Array(rows);
  return (prediction) => {
    const { order, isLast } = surestFirst(prediction);
    for (let place = 0; place < rows; place++) {
      const row = order[place] ?? 0;
      wrongAt[place] = ((prediction[row] ?? Number.NaN) >= 0.5 ? 1 : 0) === labels[row] ? 0 : 1;
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

/** Orders rows by confidence, surest first; `isLast` is 1 at the last of equally sure ones. */
function surestFirst(prediction: Float64Array): {
  readonly order: Uint32Array;
  readonly isLast: Uint8Array;
} {
  const rows = prediction.length;
  const { order, isNewAt } = radixOrder(prediction.map((p) => -Math.max(p, 1 - p)));
  const isLast = new Uint8Array(rows);
  for (let place = 0; place < rows; place++) {
    isLast[place] = place === rows - 1 || isNewAt(place + 1) ? 1 : 0;
  }
  return { order, isLast };
}
