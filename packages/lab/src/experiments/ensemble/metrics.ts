/** Metrics of each experiment, in the order of all lists of values. */
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

/** Metrics where higher is better; for the others lower is. */
const higherIsBetter: ReadonlySet<ExperimentMetric> = new Set([
  "accuracy",
  "f1",
  "kappa",
  "rocAuc",
  "averagePrecision",
  "precisionRecallArea",
]);
export const isMoreBetter = (metric: ExperimentMetric): boolean => higherIsBetter.has(metric);

/** Number of points of an error-coverage curve, evenly spaced up to coverage 1. */
export const curvePoints = 20;

const bins = 10;
/** A power of 2, so that a bucket begins at 0.5. */
const buckets = 1 << 13;
/** A bucket with more rows is sorted by itself. */
const crowd = 12;
/** Number of clipped probabilities multiplied before taking a logarithm: their product stays above 0. */
const perLogarithm = 16;
const leastProbability = 1e-15;

/**
 * Returns a function that measures predictions of the same labels. It allocates nothing, since a grid
 * calls it tens of thousands of times. Values equal those of the functions of `stats` (`brierScore`,
 * `rocAuc`, …); a bucket sort orders the rows, then two passes read bins and areas.
 *
 * @param labels 0 or 1 each.
 * @returns a function of P(label is 1) of each row. It writes the metrics (NaN where undefined) to `into`
 *   from `at` on in the order of `experimentMetrics`, and to `curve` from `curveAt` on the share of wrong
 *   answers among the surest 1/20, 2/20, … of all, with ties of the last one.
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
  /** Position of a bucket's next row in `sorted`; begins as the number of rows in earlier buckets. */
  const next = new Int32Array(buckets + 2);
  const sorted = new Float64Array(rows);
  const sortedLabels = new Uint8Array(rows);
  const binRows = new Int32Array(bins);
  const binGap = new Float64Array(bins);
  let positives = 0;
  for (const label of labels) positives += label;
  const negatives = rows - positives;

  return (probabilities, into, at, curve, curveAt = 0) => {
    sumsByRow(probabilities, into, at + 2);
    const zeros = sort(probabilities);
    areas(into, at + 7);
    surestFirst(zeros, into, at, curve, curveAt);
  };

  /** Computes NLL and Brier score, and counts the rows of each bucket. */
  function sumsByRow(probabilities: Float64Array, into: Float64Array, at: number): void {
    next.fill(0);
    let squares = 0;
    let logarithms = 0;
    let product = 1;
    for (let row = 0; row < rows; row++) {
      const probability = probabilities[row] ?? 0;
      const label = labels[row] ?? 0;
      const bucket = (probability * buckets) | 0;
      next[bucket + 1] = (next[bucket + 1] ?? 0) + 1;
      squares += (probability - label) * (probability - label);
      const clipped = Math.min(1 - leastProbability, Math.max(leastProbability, probability));
      // Branch-free: labels are random to a branch predictor.
      product *= label * clipped + (1 - label) * (1 - clipped);
      if (row % perLogarithm !== perLogarithm - 1) continue;
      logarithms += Math.log(product);
      product = 1;
    }
    into[at] = -(logarithms + Math.log(product)) / rows;
    into[at + 1] = squares / rows;
  }

  /** Sorts probabilities and labels, ascending. @returns the number of probabilities below 0.5. */
  function sort(probabilities: Float64Array): number {
    let before = 0;
    let most = 0;
    for (let bucket = 0; bucket <= buckets + 1; bucket++) {
      const own = next[bucket] ?? 0;
      if (own > most) most = own;
      before += own;
      next[bucket] = before;
    }
    const zeros = next[buckets / 2] ?? 0;
    for (let row = 0; row < rows; row++) {
      const probability = probabilities[row] ?? 0;
      const bucket = (probability * buckets) | 0;
      const to = next[bucket] ?? 0;
      next[bucket] = to + 1;
      sorted[to] = probability;
      sortedLabels[to] = labels[row] ?? 0;
    }
    if (most > crowd) {
      let start = 0;
      for (let bucket = 0; bucket <= buckets; bucket++) {
        const end = next[bucket] ?? 0;
        if (end - start > crowd) sortWithin(start, end, gaps);
        start = end;
      }
    }
    sortWithin(0, rows, insertion);
    return zeros;
  }

  /** Sorts a range in place by Shell's method. */
  function sortWithin(start: number, end: number, steps: readonly number[]): void {
    for (const gap of steps) {
      if (gap >= end - start) continue;
      for (let place = start + gap; place < end; place++) {
        const probability = sorted[place] ?? 0;
        if ((sorted[place - gap] ?? 0) <= probability) continue;
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

  /** Computes ROC-AUC, average precision and the trapezoid area, from the highest probability down. */
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
        const label = sortedLabels[place] ?? 0;
        found += label;
        alarms += 1 - label;
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

  /** Computes calibration, accuracy and error over coverage, from both ends of the order inwards. */
  function surestFirst(
    zeros: number,
    into: Float64Array,
    at: number,
    curve: Float64Array | undefined,
    curveAt: number,
  ): void {
    binRows.fill(0);
    binGap.fill(0);
    let bin = bins - 1;
    let low = 0;
    let high = rows - 1;
    let accepted = 0;
    let wrongZeros = 0;
    let wrongOnes = 0;
    let confident = 0;
    let area = 0;
    let point = 1;
    while (accepted < rows) {
      const ofZero = low < zeros ? 1 - (sorted[low] ?? 0) : 0;
      const ofOne = high >= zeros ? (sorted[high] ?? 0) : 0;
      const confidence = ofOne > ofZero ? ofOne : ofZero;
      const before = accepted;
      const wrongBefore = wrongZeros + wrongOnes;
      for (; high >= zeros && sorted[high] === confidence; high--) {
        wrongOnes += 1 - (sortedLabels[high] ?? 0);
      }
      for (; low < zeros && 1 - (sorted[low] ?? 0) === confidence; low++) {
        wrongZeros += sortedLabels[low] ?? 0;
      }
      accepted = low + rows - 1 - high;
      const more = accepted - before;
      const wrong = wrongZeros + wrongOnes;
      area += (more * wrong) / accepted;
      for (; curve && point <= curvePoints && accepted * curvePoints >= point * rows; point++) {
        curve[curveAt + point - 1] = wrong / accepted;
      }
      // Bins are closed above.
      while (confidence <= bin / bins) bin -= 1;
      confident += more * confidence;
      binRows[bin] = (binRows[bin] ?? 0) + more;
      binGap[bin] = (binGap[bin] ?? 0) + more - (wrong - wrongBefore) - more * confidence;
    }
    let ece = 0;
    let mce = Number.NaN;
    for (bin = 0; bin < bins; bin++) {
      const inside = binRows[bin] ?? 0;
      if (inside === 0) continue;
      const gap = Math.abs(binGap[bin] ?? 0);
      ece += gap;
      if (!(gap / inside <= mce)) mce = gap / inside;
    }
    const saidOnes = rows - zeros;
    const accuracy = (rows - wrongZeros - wrongOnes) / rows;
    const byChance = (positives * saidOnes + negatives * zeros) / (rows * rows);
    into[at] = ece / rows;
    into[at + 1] = mce;
    into[at + 4] = accuracy;
    into[at + 5] = (2 * (saidOnes - wrongOnes)) / (positives + saidOnes);
    into[at + 6] = byChance === 1 ? Number.NaN : (accuracy - byChance) / (1 - byChance);
    into[at + 10] = area / rows;
    into[at + 11] = confident / rows;
  }
}

/** Gaps by Ciura (2001). */
const gaps = [1750, 701, 301, 132, 57, 23, 10, 4, 1] as const;
const insertion = [1] as const;
