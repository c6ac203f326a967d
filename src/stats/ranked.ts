import { radixOrder } from "./radix-order.js";

/** Numbers reduced to their order: equal numbers share a level, and a larger number has a higher one. */
export interface Ranked {
  /** The level of each number, 0 to levels - 1. */
  readonly level: Int32Array;
  readonly levels: number;
}

/**
 * The order of numbers, with which rank statistics need no more sorting: linear in rows, once, and
 * again for each resample of the same rows. 0 and -0 are equal.
 *
 * @param values without NaN.
 * @example ranked([0.5, 0.1, 0.5]).level // [1, 0, 1]
 */
export function ranked(values: ArrayLike<number>): Ranked {
  const { order, isNewAt } = radixOrder(values);
  const level = new Int32Array(values.length);
  let levels = 0;
  for (let place = 0; place < order.length; place++) {
    if (isNewAt(place)) levels += 1;
    level[order[place] ?? 0] = levels - 1;
  }
  return { level, levels };
}

/**
 * How many rows lie on each level.
 *
 * @param weights how often each row counts; each once by default.
 */
export function levelWeights({ level, levels }: Ranked, weights?: ArrayLike<number>): Float64Array {
  const totals = new Float64Array(levels);
  for (let row = 0; row < level.length; row++) {
    const at = level[row] ?? 0;
    totals[at] = (totals[at] ?? 0) + (weights === undefined ? 1 : (weights[row] ?? 0));
  }
  return totals;
}

/**
 * The average rank of each level minus the mean of all ranks: rows of one level share the mean of
 * the places that they take (midranks).
 *
 * @example centredRanks(Float64Array.of(1, 2)) // [-1, 0.5]
 */
export function centredRanks(weightOfLevel: Float64Array): Float64Array {
  let below = -weightOfLevel.reduce((sum, weight) => sum + weight, 0) / 2;
  return weightOfLevel.map((weight) => {
    const rank = below + weight / 2;
    below += weight;
    return rank;
  });
}
