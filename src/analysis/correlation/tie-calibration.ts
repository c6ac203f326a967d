import { countText } from "../../core/phrases.js";
import { randomFrom } from "../../core/random.js";
import { picked, placesWith } from "../../core/row-codes.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceError } from "../../stats/influence-error.js";
import { undefinedEstimate, withInterval } from "../inference/intervals.js";
import type { CorrelationColumns } from "./correlation-row.js";

/** How often a metric orders two rows as people do, where a tie of people's is an answer, too. */
export interface TieCalibration {
  /** Rows with a rating and a score. */
  readonly n: number;
  /** With a tie only where scores are equal. */
  readonly accuracy: Estimate;
  /** Scores that differ by no more than this tie best; in the metric's own units. */
  readonly epsilon: number | null;
  /** With such ties, on the rows that epsilon was chosen on: optimistic. */
  readonly calibrated: Estimate;
  /** With epsilon chosen on the other half of the prompts; the mean of both halves. */
  readonly heldOut: number | null;
}

/** Pairs take 8 bytes each. */
const mostRows = 5000;

/**
 * Pairwise accuracy with ties and the epsilon that calibrates it, of each metric. Intervals are those
 * of the delta method over whole prompts, for epsilon as it is. Deutsch, Foster and Freitag (2023),
 * see `tieAccuracy`; the paper holds no rows out.
 *
 * @param options.seed of the halves; default 0.
 * @returns in the order of the metrics; null with a reason below two rows and above 5,000.
 */
export const tieCalibrations = (
  rated: CorrelationColumns,
  { seed = 0 }: { readonly seed?: number | undefined } = {},
): TieCalibration[] => rated.scores.map((scores) => calibrationOf(rated, scores, seed));

function calibrationOf(
  { names, rows: all, human }: CorrelationColumns,
  scores: Float64Array,
  seed: number,
): TieCalibration {
  const places = placesWith(all.length, [scores]);
  const n = places.length;
  if (n < 2 || n > mostRows) {
    const limit = countText(mostRows);
    const reason =
      n < 2
        ? "no two rows have a score and a rating"
        : `more than ${limit} rows make too many pairs`;
    const none = undefinedEstimate(reason);
    return { n, accuracy: none, epsilon: null, calibrated: none, heldOut: null };
  }
  const scored = names.inOrderOfId(all, places);
  const columns = { scores: picked(scores, scored), ratings: picked(human, scored) };
  const epsilon = tieEpsilon(columns.scores, columns.ratings);
  const { cluster, count } = names.clusters(picked(all, scored));
  const estimateAt = (apart: number): Estimate => {
    const { accuracy: value, influence } = tieAccuracy(columns.scores, columns.ratings, apart);
    const margin = z * influenceError(influence, cluster, count);
    const interval = Number.isNaN(margin) ? undefined : ([value - margin, value + margin] as const);
    const whenNone = "no interval from one prompt";
    return withInterval(value, interval, { within: [0, 1], whenNone });
  };
  return {
    n,
    accuracy: estimateAt(0),
    epsilon,
    calibrated: estimateAt(epsilon),
    heldOut: heldOut(columns, { cluster, count, seed }),
  };
}

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/** Null where a half has no pair. */
function heldOut(
  { scores, ratings }: Columns,
  {
    cluster,
    count,
    seed,
  }: { readonly cluster: Int32Array; readonly count: number; readonly seed: number },
): number | null {
  const order = randomFrom(seed, "tie calibration").shuffle([...Array(count).keys()]);
  const isFirst = new Uint8Array(count);
  for (const one of order.slice(0, Math.floor(count / 2))) isFirst[one] = 1;
  const half = (which: number): Columns => {
    const isIn = (_: number, row: number) => isFirst[cluster[row] ?? 0] === which;
    return { scores: scores.filter(isIn), ratings: ratings.filter(isIn) };
  };
  const [one, other] = [half(1), half(0)];
  if (one.scores.length < 2 || other.scores.length < 2) return null;
  const accuracy = (of: Columns, chosenOn: Columns) =>
    tieAccuracy(of.scores, of.ratings, tieEpsilon(chosenOn.scores, chosenOn.ratings)).accuracy;
  return (accuracy(one, other) + accuracy(other, one)) / 2;
}

interface Columns {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
}

/**
 * The share of all pairs of rows that a metric orders as people do, ties included: a pair is right
 * where both prefer the same row, and where both tie. The metric ties scores that differ by no more
 * than epsilon. Deutsch, Foster and Freitag, "Ties Matter: Meta-Evaluating Modern Metrics with
 * Pairwise Accuracy and Tie Calibration" (2023), equation 9. Quadratic in rows.
 *
 * @param scores the metric's.
 * @param ratings people's, of the same rows; equal ones are ties.
 * @param epsilon at least 0.
 * @returns the share, in [0, 1], and by how much it moves with the weight of each row (Hajek's
 *   projection); NaN with fewer than two rows.
 * @example tieAccuracy([0.1, 0.12, 0.9], [1, 1, 2], 0.05).accuracy // 1
 */
export function tieAccuracy(
  scores: ArrayLike<number>,
  ratings: ArrayLike<number>,
  epsilon: number,
): { readonly accuracy: number; readonly influence: Float64Array } {
  const rows = scores.length;
  const right = new Float64Array(rows);
  let sum = 0;
  for (let row = 1; row < rows; row++) {
    const score = scores[row] ?? 0;
    const rating = ratings[row] ?? 0;
    let own = 0;
    for (let other = 0; other < row; other++) {
      const apart = score - (scores[other] ?? 0);
      const order = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart);
      if (order !== Math.sign(rating - (ratings[other] ?? 0))) continue;
      own += 1;
      right[other] = (right[other] ?? 0) + 1;
    }
    right[row] = (right[row] ?? 0) + own;
    sum += own;
  }
  const accuracy = sum / ((rows * (rows - 1)) / 2);
  return {
    accuracy,
    influence: right.map((own) => (2 * (own / (rows - 1) - accuracy)) / rows),
  };
}

/**
 * The epsilon with the highest `tieAccuracy`, the smallest of several: a metric with continuous scores
 * never ties, so that without one it gets every tie of people's wrong. As epsilon grows past a pair's
 * difference, a pair that people tie becomes right, and one that was in their order wrong. O(n^2 log n)
 * in time and 8 bytes a pair. Chosen on some rows it is optimistic of the same: ask others.
 *
 * @param scores the metric's.
 * @param ratings people's, of the same rows; equal ones are ties.
 * @returns 0 where no tie is worth it, or the difference of two scores.
 * @example tieEpsilon([0.1, 0.12, 0.9], [1, 1, 2]) // 0.02 (0.12 - 0.1)
 */
export function tieEpsilon(scores: ArrayLike<number>, ratings: ArrayLike<number>): number {
  const rows = scores.length;
  const pairs = (rows * (rows - 1)) / 2;
  const gains = new Float64Array(pairs);
  const losses = new Float64Array(pairs);
  let [gained, lost] = [0, 0];
  for (let row = 1; row < rows; row++) {
    for (let other = 0; other < row; other++) {
      const apart = (scores[row] ?? 0) - (scores[other] ?? 0);
      const preferred = Math.sign((ratings[row] ?? 0) - (ratings[other] ?? 0));
      if (preferred === 0) gains[gained++] = Math.abs(apart);
      else if (preferred === Math.sign(apart)) losses[lost++] = Math.abs(apart);
    }
  }
  const gain = gains.subarray(0, gained).sort();
  const loss = losses.subarray(0, lost).sort();
  let best = { epsilon: 0, more: 0 };
  let passed = 0;
  let exact = 0;
  while (gain[exact] === 0) exact += 1;
  for (let at = exact; at < gained; at++) {
    const epsilon = gain[at] ?? 0;
    if (gain[at + 1] === epsilon) continue;
    while (passed < lost && (loss[passed] ?? 0) <= epsilon) passed += 1;
    const more = at + 1 - exact - passed;
    if (more > best.more) best = { epsilon, more };
  }
  return best.epsilon;
}
