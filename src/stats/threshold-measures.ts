import type { Ranked } from "./ranked.js";

/** How many rows are accepted at or above each score, the highest score first. */
export interface ThresholdCounts {
  /** How many of label 1 have this score or more. */
  readonly positives: Float64Array;
  /** How many of label 0. */
  readonly negatives: Float64Array;
}

/**
 * How many of each label have a score or more: a point for each distinct score, the highest first,
 * so that equal scores are accepted together or not at all. Linear in rows: nothing is sorted.
 *
 * @param labels 0 or 1 each.
 * @param scores of the same rows.
 * @param weights how often each row counts; each once by default.
 * @throws RangeError where labels and scores differ in length.
 * @example thresholdCounts([1, 0, 1], ranked([0.9, 0.4, 0.4]))
 *   // { positives: [1, 2], negatives: [0, 1] }
 */
export function thresholdCounts(
  labels: ArrayLike<number>,
  scores: Ranked,
  weights?: ArrayLike<number>,
): ThresholdCounts {
  return thresholdCounter(labels, scores)(weights);
}

/**
 * As `thresholdCounts` of the same rows again and again, whatever their weights.
 *
 * @param room where the counts are written; several that are not needed at once may share it.
 * @returns what counts; each call overwrites the counts of the last.
 */
export function thresholdCounter(
  labels: ArrayLike<number>,
  { level, levels, count, order }: Ranked,
  room: ThresholdCounts = {
    positives: new Float64Array(levels),
    negatives: new Float64Array(levels),
  },
): (weights?: ArrayLike<number>) => ThresholdCounts {
  if (labels.length !== level.length) {
    throw new RangeError(`Expected ${labels.length} scores but received ${level.length}`);
  }
  const positives = room.positives.subarray(0, levels);
  const negatives = room.negatives.subarray(0, levels);
  // Rows from the highest level down: the row, whether its label is 1, and whether it is the last of its level.
  const codes = new Int32Array(order.length);
  let end = order.length;
  let place = 0;
  for (let of = levels - 1; of >= 0; of--) {
    const start = end - (count[of] ?? 0);
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0;
      codes[place++] = row * 4 + (labels[row] === 1 ? 2 : 0) + (at === end - 1 ? 1 : 0);
    }
    end = start;
  }
  return (weights) => {
    let positive = 0;
    let negative = 0;
    let [ofPositive, ofNegative, point] = [0, 0, 0];
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] ?? 0;
      const weight = weights === undefined ? 1 : (weights[code >>> 2] ?? 0);
      // A sum and no branch: which label a row has can't be guessed.
      const isPositive = (code >> 1) & 1;
      ofPositive += weight * isPositive;
      ofNegative += weight * (1 - isPositive);
      if ((code & 1) === 0) continue;
      positive += ofPositive;
      negative += ofNegative;
      positives[point] = positive;
      negatives[point] = negative;
      point += 1;
      ofPositive = 0;
      ofNegative = 0;
    }
    return { positives, negatives };
  };
}

/**
 * The harmonic mean of precision and recall of label 1: 2 TP / (2 TP + FP + FN). van Rijsbergen,
 * "Information Retrieval" (1979).
 *
 * @param labels what is right, 0 or 1 each.
 * @param predictions what was said, 0 or 1 each.
 * @param times how often each pair of the two counts; once by default.
 * @returns in [0, 1]; NaN where neither says 1 of any row.
 * @example f1Score([1, 1, 0], [1, 0, 0]) // 0.6666666666666666
 */
export function f1Score(
  labels: ArrayLike<number>,
  predictions: ArrayLike<number>,
  times?: ArrayLike<number>,
): number {
  let both = 0;
  let said = 0;
  for (let row = 0; row < labels.length; row++) {
    const count = times === undefined ? 1 : (times[row] ?? 0);
    const label = labels[row] ?? 0;
    const prediction = predictions[row] ?? 0;
    both += count * label * prediction;
    said += count * (label + prediction);
  }
  return (2 * both) / said;
}

/**
 * Precision where recall rises, weighted by how much: the sum over distinct scores, the highest
 * first, of (R_k - R_(k-1)) P_k. No line is drawn between points. Zhu, "Recall, Precision and
 * Average Precision" (2004).
 *
 * @returns in (0, 1], the share of label 1 for equal scores; NaN where no label is 1.
 * @example averagePrecision(thresholdCounts([1, 0, 1], ranked([0.9, 0.8, 0.1])))
 *   // 0.8333333333333333
 */
export const averagePrecision = (counts: ThresholdCounts): number =>
  precisionOverRecall(counts).average;

/**
 * Average precision, and the area under straight lines between the points of precision over recall, by
 * trapezoids, from precision 1 at recall 0: what is often called AUC-PR. It is another number than
 * average precision, and an optimistic one: Davis and Goadrich, "The Relationship between
 * Precision-Recall and ROC Curves" (2006).
 *
 * @returns both in (0, 1]; NaN where no label is 1.
 * @example precisionOverRecall(thresholdCounts([1, 0, 1], ranked([0.9, 0.8, 0.1])))
 *   // { average: 0.8333333333333333, trapezoids: 0.7916666666666666 }
 */
export function precisionOverRecall({ positives, negatives }: ThresholdCounts): {
  readonly average: number;
  readonly trapezoids: number;
} {
  let average = 0;
  let trapezoids = 0;
  let found = 0;
  let before = 1;
  for (let at = 0; at < positives.length; at++) {
    const positive = positives[at] ?? 0;
    const accepted = positive + (negatives[at] ?? 0);
    // No row of a resample may have the highest scores.
    if (accepted === 0) continue;
    const precision = positive / accepted;
    average += (positive - found) * precision;
    trapezoids += (positive - found) * ((precision + before) / 2);
    found = positive;
    before = precision;
  }
  return { average: average / found, trapezoids: trapezoids / found };
}

/**
 * How likely a row of label 1 has a higher score than one of label 0, a tie counting half: the area
 * under the receiver operating characteristic. Hanley and McNeil, "The Meaning and Use of the Area
 * under a Receiver Operating Characteristic (ROC) Curve" (1982).
 *
 * @returns in [0, 1], 0.5 for tossing a coin; NaN where a label is missing.
 * @example rocAuc(thresholdCounts([1, 0, 1, 0], ranked([0.9, 0.4, 0.4, 0.1]))) // 0.875
 */
export function rocAuc(counts: ThresholdCounts): number {
  const [positives = 0, negatives = 0] = [counts.positives.at(-1), counts.negatives.at(-1)];
  return areaUnder(counts) / (positives * negatives);
}

/** By itself, as V8 gives up a loop that an operation follows which it has not seen yet. */
function areaUnder({ positives, negatives }: ThresholdCounts): number {
  let area = 0;
  let positivesBefore = 0;
  let negativesBefore = 0;
  for (let at = 0; at < positives.length; at++) {
    const positive = positives[at] ?? 0;
    const negative = negatives[at] ?? 0;
    area += ((negative - negativesBefore) * (positive + positivesBefore)) / 2;
    positivesBefore = positive;
    negativesBefore = negative;
  }
  return area;
}
