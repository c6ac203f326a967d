import { square } from "./elementary/square.js";
import type { LabelledSample } from "./prediction-powered-mean.js";
import { criticalT } from "./student-t.js";

/**
 * How many more labels it takes until the interval of `predictionPoweredMean` excludes `from`, were
 * the mean and all variances as they are now: the smallest n' with
 * |theta - from| > t_{n' - 2} sqrt((Var(y - lambda' f) / n' + lambda'^2 Var(f) / N') n' / (n' - 2)), where
 * n' + N' are the items there are and lambda' is tuned for n'. A forecast: with so many labels the
 * interval excludes it about as often as not.
 *
 * @param sample without clusters: every item stands for itself.
 * @param options.mean theta, as estimated.
 * @returns null where not even labels of all items would do.
 */
export function labelsNeeded(
  { human, metric, others, largestWeight = 1 }: LabelledSample,
  { mean, from }: { readonly mean: number; readonly from: number },
): number | null {
  const n = human.length;
  const items = n + others.length;
  const all = [...Array.from(metric), ...Array.from(others)];
  const spread = covariance(all, all);
  const labelSpread = covariance(human, human);
  const metricSpread = covariance(metric, metric);
  const together = covariance(human, metric);
  const excludes = (labels: number) => {
    const rest = items - labels;
    const tuned = rest > 0 && spread > 0 ? together / ((1 + labels / rest) * spread) : 0;
    const weight = Math.min(largestWeight, Math.max(0, tuned));
    const left = labelSpread - 2 * weight * together + square(weight) * metricSpread;
    const ofOthers = rest > 0 ? (square(weight) * spread) / rest : 0;
    const error = Math.sqrt(((left / labels + ofOthers) * labels) / (labels - 2));
    return Math.abs(mean - from) > criticalT(0.05, labels - 2) * error;
  };
  if (n < 3 || !excludes(items)) return null;
  let tooFew = n - 1;
  let enough = items;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (excludes(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough - n;
}

/** With n below the line. */
function covariance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const count = one.length;
  let [sumOfOne, sumOfOther] = [0, 0];
  for (let at = 0; at < count; at++) {
    sumOfOne += one[at] ?? 0;
    sumOfOther += other[at] ?? 0;
  }
  let sum = 0;
  for (let at = 0; at < count; at++) {
    sum += ((one[at] ?? 0) - sumOfOne / count) * ((other[at] ?? 0) - sumOfOther / count);
  }
  return sum / count;
}
