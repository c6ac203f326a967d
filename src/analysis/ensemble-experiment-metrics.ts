import { confidenceBin } from "../stats/reliability-bins.js";

/** What is measured of the predictions of each experiment, in the order of every list of values. */
export const experimentMetrics = [
  "ece",
  "mce",
  "nll",
  "brier",
  "accuracy",
  "f1",
  "kappa",
  "rocAuc",
  "averagePrecision",
  "precisionRecallArea",
  "errorCoverageArea",
  "confidence",
] as const;
export type ExperimentMetric = (typeof experimentMetrics)[number];

/** Of these more is better; of the others less. */
const higherIsBetter: ReadonlySet<ExperimentMetric> = new Set([
  "accuracy",
  "f1",
  "kappa",
  "rocAuc",
  "averagePrecision",
  "precisionRecallArea",
]);
export const isMoreBetter = (metric: ExperimentMetric): boolean => higherIsBetter.has(metric);

/** At how many coverages, evenly up to 1, an error-coverage curve is noted. */
export const curvePoints = 20;

const bins = 10;
const buckets = 1 << 14;
/** So many clipped probabilities can be multiplied before their logarithm is taken. */
const perLogarithm = 16;
const leastProbability = 1e-15;

/**
 * Measures predictions of the same labels again and again, tens of thousands of times, with no memory
 * allocated between. The numbers are those of the functions of `stats` (`brierScore`, `rocAuc`, …); a
 * bucket sort gives the exact order, from which all areas are read in one pass.
 *
 * @param labels 0 or 1 each.
 * @returns a function of P(label is 1) for each row, which writes the values in the order of
 *   `experimentMetrics` (NaN where undefined) to `into` from `at` on, and to `curve` from `curveAt`
 *   on the share of wrong answers among the surest 1/20, 2/20, … of all (ties with the last one
 *   included).
 */
export function experimentMeasures(
  labels: Uint8Array,
): (
  probabilities: Float64Array,
  into: Float64Array,
  at: number,
  curve?: Float64Array,
  curveAt?: number,
) => void {
  const rows = labels.length;
  const counts = new Uint32Array(buckets + 2);
  const next = new Uint32Array(buckets + 2);
  const sorted = new Float64Array(rows);
  const sortedLabels = new Uint8Array(rows);
  const binRows = new Float64Array(bins);
  const binGap = new Float64Array(bins);
  let positives = 0;
  for (const label of labels) positives += label;
  const negatives = rows - positives;

  return (probabilities, into, at, curve, curveAt = 0) => {
    counts.fill(0);
    binRows.fill(0);
    binGap.fill(0);
    let squares = 0;
    let logarithms = 0;
    let product = 1;
    let rightOnes = 0;
    let saidOnes = 0;
    let confident = 0;
    for (let row = 0; row < rows; row++) {
      const probability = probabilities[row] ?? 0;
      const label = labels[row] ?? 0;
      const bucket = (probability * buckets) | 0;
      counts[bucket + 1] = (counts[bucket + 1] ?? 0) + 1;
      squares += (probability - label) * (probability - label);
      const clipped = Math.min(1 - leastProbability, Math.max(leastProbability, probability));
      product *= label === 1 ? clipped : 1 - clipped;
      if (row % perLogarithm === perLogarithm - 1) {
        logarithms += Math.log(product);
        product = 1;
      }
      const said = probability >= 0.5 ? 1 : 0;
      const confidence = said === 1 ? probability : 1 - probability;
      saidOnes += said;
      rightOnes += said & label;
      confident += confidence;
      const bin = confidenceBin(confidence, bins);
      binRows[bin] = (binRows[bin] ?? 0) + 1;
      binGap[bin] = (binGap[bin] ?? 0) + (said === label ? 1 : 0) - confidence;
    }
    logarithms += Math.log(product);
    sort(probabilities);

    let ece = 0;
    let mce = Number.NaN;
    for (let bin = 0; bin < bins; bin++) {
      const inside = binRows[bin] ?? 0;
      if (inside === 0) continue;
      const gap = Math.abs(binGap[bin] ?? 0);
      ece += gap;
      if (!(gap / inside <= mce)) mce = gap / inside;
    }
    const rightZeros = negatives - (saidOnes - rightOnes);
    const accuracy = (rightOnes + rightZeros) / rows;
    const byChance = (positives * saidOnes + negatives * (rows - saidOnes)) / (rows * rows);
    into[at] = ece / rows;
    into[at + 1] = mce;
    into[at + 2] = -logarithms / rows;
    into[at + 3] = squares / rows;
    into[at + 4] = accuracy;
    into[at + 5] = (2 * rightOnes) / (positives + saidOnes);
    into[at + 6] = byChance === 1 ? Number.NaN : (accuracy - byChance) / (1 - byChance);
    areas(into, at + 7);
    into[at + 10] = errorOverCoverage(curve, curveAt);
    into[at + 11] = confident / rows;
  };

  /** Probabilities with their labels from the smallest on: by buckets, then within each. */
  function sort(probabilities: Float64Array): void {
    let before = 0;
    for (let bucket = 0; bucket <= buckets + 1; bucket++) {
      before += counts[bucket] ?? 0;
      counts[bucket] = before;
      next[bucket] = before;
    }
    for (let row = 0; row < rows; row++) {
      const probability = probabilities[row] ?? 0;
      const bucket = (probability * buckets) | 0;
      const to = next[bucket] ?? 0;
      next[bucket] = to + 1;
      sorted[to] = probability;
      sortedLabels[to] = labels[row] ?? 0;
    }
    for (let bucket = 0; bucket <= buckets; bucket++) {
      const start = counts[bucket] ?? 0;
      const end = counts[bucket + 1] ?? 0;
      if (end - start > 1) sortWithin(start, end);
    }
  }

  /** Shell's sort; of a few rows plain insertion. Gaps: Ciura (2001). */
  function sortWithin(start: number, end: number): void {
    for (const gap of end - start < 12 ? insertion : gaps) {
      if (gap >= end - start) continue;
      for (let place = start + gap; place < end; place++) {
        const probability = sorted[place] ?? 0;
        const label = sortedLabels[place] ?? 0;
        let to = place;
        for (; to >= start + gap && (sorted[to - gap] ?? 0) > probability; to -= gap) {
          sorted[to] = sorted[to - gap] ?? 0;
          sortedLabels[to] = sortedLabels[to - gap] ?? 0;
        }
        sorted[to] = probability;
        sortedLabels[to] = label;
      }
    }
  }

  /** ROC-AUC, average precision and the area under precision over recall, from the highest down. */
  function areas(into: Float64Array, at: number): void {
    let found = 0;
    let alarms = 0;
    let ranked = 0;
    let precise = 0;
    let trapezoids = 0;
    let precisionBefore = 1;
    for (let place = rows - 1; place >= 0; ) {
      const probability = sorted[place] ?? 0;
      const foundBefore = found;
      const alarmsBefore = alarms;
      for (; place >= 0 && sorted[place] === probability; place--) {
        if (sortedLabels[place] === 1) found += 1;
        else alarms += 1;
      }
      const precision = found / (found + alarms);
      ranked += ((alarms - alarmsBefore) * (found + foundBefore)) / 2;
      precise += (found - foundBefore) * precision;
      trapezoids += ((found - foundBefore) * (precision + precisionBefore)) / 2;
      precisionBefore = precision;
    }
    into[at] = ranked / (positives * negatives);
    into[at + 1] = precise / positives;
    into[at + 2] = trapezoids / positives;
  }

  /** The surest answers lie at both ends of the order. @returns the area under the curve. */
  function errorOverCoverage(curve: Float64Array | undefined, curveAt: number): number {
    let low = 0;
    let high = rows - 1;
    let accepted = 0;
    let wrong = 0;
    let area = 0;
    let point = 1;
    while (low <= high) {
      const confidence = Math.max(1 - (sorted[low] ?? 0), sorted[high] ?? 0);
      const before = accepted;
      for (; high >= low && sorted[high] === confidence && confidence >= 0.5; high--) {
        accepted += 1;
        wrong += 1 - (sortedLabels[high] ?? 0);
      }
      for (; low <= high && 1 - (sorted[low] ?? 0) === confidence; low++) {
        accepted += 1;
        wrong += sorted[low] === 0.5 ? 1 - (sortedLabels[low] ?? 0) : (sortedLabels[low] ?? 0);
      }
      area += ((accepted - before) * wrong) / accepted;
      for (; curve && point <= curvePoints && accepted * curvePoints >= point * rows; point++) {
        curve[curveAt + point - 1] = wrong / accepted;
      }
    }
    return area / rows;
  }
}

const gaps = [1750, 701, 301, 132, 57, 23, 10, 4, 1] as const;
const insertion = [1] as const;
