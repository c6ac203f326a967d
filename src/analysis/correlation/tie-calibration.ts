import { countText } from "../../core/phrases.js";
import { randomFrom } from "../../core/random.js";
import { picked, placesWith } from "../../core/row-codes.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceError } from "../../stats/influence-error.js";
import { tieAccuracy, tieEpsilon } from "../../stats/tie-thresholds.js";
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
