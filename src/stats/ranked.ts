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
  if (values.length < fewRows) return rankedBySearch(values);
  const { order, isNewAt } = radixOrder(values);
  const level = new Int32Array(values.length);
  let levels = 0;
  for (let place = 0; place < order.length; place++) {
    if (isNewAt(place)) levels += 1;
    level[order[place] ?? 0] = levels - 1;
  }
  return { level, levels };
}

/** Below it, comparing is faster than going over the digits of every number. */
const fewRows = 1000;

function rankedBySearch(values: ArrayLike<number>): Ranked {
  const sorted = Float64Array.from(values).sort();
  let levels = 0;
  for (let at = 0; at < sorted.length; at++) {
    const value = sorted[at] ?? 0;
    if (levels > 0 && value === sorted[levels - 1]) continue;
    sorted[levels] = value;
    levels += 1;
  }
  const level = new Int32Array(values.length);
  for (let at = 0; at < level.length; at++) {
    const value = values[at] ?? 0;
    let low = 0;
    let high = levels - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    level[at] = low;
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
