import { radixOrder } from "../stats/radix-order.js";
import { confidenceBin } from "../stats/reliability-bins.js";

/** Metrics that decide claims about held-out pairs. */
export const heldOutMetrics = ["ece", "nll", "brier", "accuracy", "errorCoverageArea"] as const;
export type HeldOutMetric = (typeof heldOutMetrics)[number];

/** Ten bins of confidence, over several fits. */
export interface PooledReliability {
  readonly n: Float64Array;
  readonly right: Float64Array;
  /** Sums. */
  readonly confidence: Float64Array;
}

const bins = 10;

/**
 * Measures one fit's predictions in every resample: what a pair adds to each metric is worked out
 * once, and the surest first is sorted once.
 *
 * @param weights how often each pair counts, for each resample.
 * @returns a function of predictions, which adds them to `reliability` and gives the metrics at
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
  const doubt = new Float64Array(rows);
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
      doubt[row] = -confidence;
      const given = label === 1 ? probability : 1 - probability;
      loss[row] = -Math.log(Math.max(1e-15, given));
      square[row] = (probability - label) ** 2;
      reliability.n[at] = (reliability.n[at] ?? 0) + 1;
      reliability.right[at] = (reliability.right[at] ?? 0) + isRight;
      reliability.confidence[at] = (reliability.confidence[at] ?? 0) + confidence;
    }
    const { order, isNewAt } = radixOrder(doubt);
    // Equal confidences are accepted together: 1 where a place is the last of its equals.
    const isLast = new Uint8Array(rows);
    for (let place = 0; place < rows; place++) {
      isLast[place] = place === rows - 1 || isNewAt(place + 1) ? 1 : 0;
    }
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
