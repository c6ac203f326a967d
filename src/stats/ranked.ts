import { sorted } from "./radix-order.js";

/** Numbers reduced to their order: equal numbers share a level, and a larger number has a higher one. */
export interface Ranked {
  /** The level of each number, 0 to levels - 1. */
  readonly level: Int32Array;
  readonly levels: number;
  /** How many numbers lie on each level. */
  readonly count: Float64Array;
  /** The places of the numbers, from the lowest to the highest; of one level in order. */
  readonly order: Uint32Array;
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
  const { order, isNew } = sorted(values);
  const level = new Int32Array(values.length);
  let levels = 0;
  for (let place = 0; place < isNew.length; place++) levels += isNew[place] ?? 0;
  const count = new Float64Array(levels);
  let last = -1;
  for (let place = 0; place < order.length; place++) {
    last += isNew[place] ?? 0;
    level[order[place] ?? 0] = last;
    count[last] = (count[last] ?? 0) + 1;
  }
  return { level, levels, count, order };
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
  const count = new Float64Array(levels);
  for (const one of level) count[one] = (count[one] ?? 0) + 1;
  return { level, levels, count, order: rowsByLevel({ level, count }) };
}

/**
 * Rows by level: a counting sort.
 *
 * @param rows in the order that rows of one level keep; default: as they come.
 */
export function rowsByLevel(
  { level, count }: Pick<Ranked, "level" | "count">,
  rows?: Uint32Array,
): Uint32Array {
  const next = new Uint32Array(count.length);
  for (let one = 1; one < count.length; one++) {
    next[one] = (next[one - 1] ?? 0) + (count[one - 1] ?? 0);
  }
  const sorted = new Uint32Array(level.length);
  for (let at = 0; at < level.length; at++) {
    const row = rows === undefined ? at : (rows[at] ?? 0);
    const one = level[row] ?? 0;
    const place = next[one] ?? 0;
    sorted[place] = row;
    next[one] = place + 1;
  }
  return sorted;
}

/**
 * How many rows lie on each level.
 *
 * @param weights how often each row counts; each once by default.
 */
export function levelWeights(
  { level, levels, count }: Ranked,
  weights?: ArrayLike<number>,
): Float64Array {
  if (weights === undefined) return count;
  const totals = new Float64Array(levels);
  for (let row = 0; row < level.length; row++) {
    const at = level[row] ?? 0;
    totals[at] = (totals[at] ?? 0) + (weights[row] ?? 0);
  }
  return totals;
}

/** How many rows lie on each level of two columns. */
export const bothLevelWeights = (x: Ranked, y: Ranked, weights?: ArrayLike<number>) =>
  [levelWeights(x, weights), levelWeights(y, weights)] as const;

/**
 * The average rank of each level minus the mean of all ranks: rows of one level share the mean of
 * the places that they take (midranks).
 *
 * @example centredRanks(Float64Array.of(1, 2)) // [-1, 0.5]
 */
export function centredRanks(weightOfLevel: Float64Array): Float64Array {
  let all = 0;
  for (let level = 0; level < weightOfLevel.length; level++) all += weightOfLevel[level] ?? 0;
  let below = -all / 2;
  const ranks = new Float64Array(weightOfLevel.length);
  for (let level = 0; level < ranks.length; level++) {
    const weight = weightOfLevel[level] ?? 0;
    ranks[level] = below + weight / 2;
    below += weight;
  }
  return ranks;
}
