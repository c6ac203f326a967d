import { picked } from "../core/row-codes.js";
import { ceilLog2 } from "./elementary/powers.js";
import { normalTails } from "./normal.js";
import { bothLevelWeights, type Ranked, rowsByLevel } from "./ranked.js";

/** All pairs of rows, by the order that two columns give them. A pair is counted once. */
export interface PairCounts {
  /** Rows. */
  readonly n: number;
  /** n (n - 1) / 2. */
  readonly pairs: number;
  /** Pairs ordered alike minus pairs ordered the other way round. */
  readonly difference: number;
  readonly tiedX: number;
  readonly tiedY: number;
  /** The smaller number of distinct values of the two columns. */
  readonly levels: number;
}

/**
 * Counts concordant and discordant pairs in O(n log n): rows in the order of one column, the other in
 * a binary tree of how many rows seen so far lie below each node. Christensen, "Fast Algorithms for
 * the Calculation of Kendall's tau" (2005).
 *
 * @returns what counts the pairs when each row counts as often as its weight, a whole number, says
 *   (once by default), behind it `bothLevelWeights`, where they are known; called for each resample, it sorts
 *   nothing again.
 * @example pairCounter(ranked([1, 2, 3]), ranked([1, 3, 2]))().difference // 1
 */
export function pairCounter(
  x: Ranked,
  y: Ranked,
): (weights?: ArrayLike<number>, ofLevels?: readonly [Float64Array, Float64Array]) => PairCounts {
  // The tree is the lower the fewer levels it has.
  const [outer, inner] = x.levels >= y.levels ? [x, y] : [y, x];
  const { order, level, isNewPair } = rowsInOrder(outer, inner);
  const tree = new Int32Array(2 ** ceilLog2(Math.max(1, inner.levels)));
  const weightOf = new Int32Array(order.length).fill(1);

  return (weights, [weightX, weightY] = bothLevelWeights(x, y, weights)) => {
    if (weights !== undefined) {
      for (let at = 0; at < order.length; at++) weightOf[at] = weights[order[at] ?? 0] ?? 0;
    } else weightOf.fill(1);
    const discordant = pairsOutOfOrder(level, weightOf, tree.fill(0));
    const tiesX = tiesOf(weightX);
    const tiesY = tiesOf(weightY);
    const { n } = tiesX;
    const pairs = (n * (n - 1)) / 2;
    const ordered = pairs - tiesX.tied - tiesY.tied + tiedInBoth(isNewPair, weightOf);
    return {
      n,
      pairs,
      difference: ordered - 2 * discordant,
      tiedX: tiesX.tied,
      tiedY: tiesY.tied,
      levels: Math.min(tiesX.levels, tiesY.levels),
    };
  };
}

/** Ties up to this long are put in order by insertion. */
const shortTie = 32;

/** The rows by the outer level, those of one by the inner one, which stands beside; 1 where a pair of levels begins. */
function rowsInOrder(outer: Ranked, inner: Ranked) {
  let longestTie = 0;
  for (let one = 0; one < outer.levels; one++) {
    longestTie = Math.max(longestTie, outer.count[one] ?? 0);
  }
  const order = longestTie <= shortTie ? outer.order.slice() : rowsByLevel(outer, inner.order);
  const level = new Int32Array(order.length);
  const isNewPair = new Uint8Array(order.length);
  let ofOuter = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < order.length; at++) {
    if (at === end) {
      isNewPair[at] = 1;
      start = at;
      end += outer.count[ofOuter] ?? 0;
      ofOuter += 1;
    }
    const row = order[at] ?? 0;
    const its = inner.level[row] ?? 0;
    let place = at;
    for (; place > start && (level[place - 1] ?? 0) > its; place--) {
      level[place] = level[place - 1] ?? 0;
      order[place] = order[place - 1] ?? 0;
    }
    level[place] = its;
    order[place] = row;
  }
  for (let at = 1; at < order.length; at++) if (level[at] !== level[at - 1]) isNewPair[at] = 1;
  return { order, level, isNewPair };
}

/**
 * How many pairs have the higher level first.
 *
 * @param tree a node's children are at twice its place and one behind, level l at `tree.length` + l and thus
 *   beyond the end: each node counts the rows below its right child alone. 0 everywhere.
 */
function pairsOutOfOrder(level: Int32Array, weightOf: Int32Array, tree: Int32Array): number {
  let pairs = 0;
  for (let at = 0; at < level.length; at++) {
    const weight = weightOf[at] ?? 0;
    if (weight === 0) continue;
    let above = 0;
    for (let node = tree.length + (level[at] ?? 0); node > 1; node >>= 1) {
      const isRight = node & 1;
      const parent = node >> 1;
      const onRight = tree[parent] ?? 0;
      tree[parent] = onRight + weight * isRight;
      // A left child has its right neighbour's levels above it; no branch, as half of all are left ones.
      above += onRight & (isRight - 1);
    }
    pairs += weight * above;
  }
  return pairs;
}

/** Pairs within runs of rows that have both levels in common. */
function tiedInBoth(isNewPair: Uint8Array, weightOf: Int32Array): number {
  let pairs = 0;
  let run = 0;
  for (let at = 0; at < isNewPair.length; at++) {
    const weight = weightOf[at] ?? 0;
    if (isNewPair[at] === 1) run = 0;
    pairs += weight * run + (weight * (weight - 1)) / 2;
    run += weight;
  }
  return pairs;
}

/**
 * For each row, with how many rows it stands in the same order in both columns minus with how many
 * in the opposite one, in O(n log n). The sum over rows is twice `difference` of all pairs.
 */
export function rowDifferences(x: Ranked, y: Ranked): Int32Array {
  // The tree is the lower the fewer levels it has.
  const [outer, inner] = x.levels >= y.levels ? [x, y] : [y, x];
  const { order } = outer;
  const result = new Int32Array(order.length);
  const level = picked(inner.level, order);
  const tree = new Int32Array(inner.levels + 1);
  const seenAt = new Int32Array(inner.levels);
  let seen = 0;
  let start = 0;
  for (let one = 0; one < outer.levels; one++) {
    const end = start + (outer.count[one] ?? 0);
    // A row alone on its level is neither below nor above itself.
    const times = end === start + 1 ? 2 : 1;
    for (let at = start; at < end; at++) {
      const its = level[at] ?? 0;
      result[order[at] ?? 0] = times * (2 * below(its, tree) + (seenAt[its] ?? 0) - seen);
    }
    for (let at = start; at < end; at++) {
      const its = level[at] ?? 0;
      seenAt[its] = (seenAt[its] ?? 0) + 1;
      for (let node = its + 1; node < tree.length; node += node & -node) {
        tree[node] = (tree[node] ?? 0) + 1;
      }
    }
    seen += end - start;
    for (let at = start; at < end && times === 1; at++) {
      const row = order[at] ?? 0;
      const its = level[at] ?? 0;
      result[row] = (result[row] ?? 0) + 2 * below(its, tree) + (seenAt[its] ?? 0) - seen;
    }
    start = end;
  }
  // Rows above are all others: those of all rows, without those that had been seen.
  const all = new Int32Array(inner.levels);
  for (let its = 0; its < all.length; its++) {
    all[its] = 2 * below(its, tree) + (seenAt[its] ?? 0) - seen;
  }
  for (let row = 0; row < result.length; row++) {
    result[row] = (result[row] ?? 0) - (all[inner.level[row] ?? 0] ?? 0);
  }
  return result;
}

/** How many rows of a Fenwick tree lie below a level. */
function below(level: number, tree: Int32Array): number {
  let less = 0;
  for (let node = level; node > 0; node -= node & -node) less += tree[node] ?? 0;
  return less;
}

/** What is counted of columns without weights, where C - D is known. */
export function countsOf(x: Ranked, y: Ranked, difference: number): PairCounts {
  const [tiesX, tiesY] = [tiesOf(x.count), tiesOf(y.count)];
  const { n } = tiesX;
  return {
    n,
    pairs: (n * (n - 1)) / 2,
    difference,
    tiedX: tiesX.tied,
    tiedY: tiesY.tied,
    levels: Math.min(tiesX.levels, tiesY.levels),
  };
}

/** Rows, pairs of one level, and levels that have rows. */
function tiesOf(weightOfLevel: Float64Array): { n: number; tied: number; levels: number } {
  let n = 0;
  let tied = 0;
  let levels = 0;
  for (let level = 0; level < weightOfLevel.length; level++) {
    const weight = weightOfLevel[level] ?? 0;
    n += weight;
    tied += (weight * (weight - 1)) / 2;
    if (weight > 0) levels += 1;
  }
  return { n, tied, levels };
}

/**
 * The share of pairs that x, a metric, puts in the order that y, people, give them. Pairs that
 * people tie are left out, pairs that only the metric ties count half:
 * (C + T / 2) / (C + D + T) = (1 + (C - D) / (pairs not tied in y)) / 2, which is Somers' D of x
 * given y brought to [0, 1]. Tossing a coin gives 0.5, and so does a metric that ties everything.
 * Somers, "A New Asymmetric Measure of Association for Ordinal Variables" (1962).
 *
 * @returns a number in [0, 1]; NaN where y is constant.
 * @example pairwiseAccuracy(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 2.5 / 3
 */
export function pairwiseAccuracy({ pairs, difference, tiedY }: PairCounts): number {
  return pairs === tiedY ? Number.NaN : (1 + difference / (pairs - tiedY)) / 2;
}

/**
 * Kendall's tau-b: (C - D) / sqrt((pairs not tied in x) (pairs not tied in y)), with C concordant
 * and D discordant pairs. Kendall, "The Treatment of Ties in Ranking Problems" (1945).
 *
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example kendallTauB(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 0.816496580927726
 */
export function kendallTauB({ pairs, difference, tiedX, tiedY }: PairCounts): number {
  if (pairs === tiedX || pairs === tiedY) return Number.NaN;
  const tau = difference / Math.sqrt(pairs - tiedX) / Math.sqrt(pairs - tiedY);
  return Math.max(-1, Math.min(1, tau));
}

/**
 * Kendall's tau-c (Stuart's): 2 (C - D) m / (n^2 (m - 1)), m the smaller number of distinct values
 * of the two columns; it can reach 1 where that number differs. Stuart, "The Estimation and
 * Comparison of Strengths of Association in Contingency Tables" (1953).
 *
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example kendallTauC(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 0.888…
 */
export function kendallTauC({ n, difference, levels }: PairCounts): number {
  return levels < 2 ? Number.NaN : (2 * difference * levels) / (n * n * (levels - 1));
}

/** Up to this many rows, if none are tied, p comes from all orders. */
const mostToEnumerate = 50;

/**
 * The two-sided p-value of no association. Without ties and up to n = 50 it is exact: twice the share
 * of the n! orders with as many discordant pairs at most, or concordant ones where those are fewer.
 * Else Kendall's normal approximation with the correction for ties, without a correction for
 * continuity: C - D over the root of its variance among independent columns; few rows with ties
 * (below about ten) make it rough. Kendall, "Rank Correlation Methods" (1970), 4.4, 5 and 5.2.
 *
 * @param difference C - D.
 * @returns a number in [0, 1]; NaN where a column is constant.
 */
export function kendallPValue(x: Ranked, y: Ranked, difference: number): number {
  const n = x.level.length;
  const tiesX = tieSums(x);
  const tiesY = tieSums(y);
  const ordered = n * (n - 1);
  if (n < 2 || tiesX.pairs === ordered || tiesY.pairs === ordered) return Number.NaN;
  if (tiesX.pairs === 0 && tiesY.pairs === 0 && n <= mostToEnumerate) {
    return Math.min(1, 2 * shareOfOrders((ordered / 2 - Math.abs(difference)) / 2, n));
  }
  const variance =
    (ordered * (2 * n + 5) - tiesX.weighted - tiesY.weighted) / 18 +
    (tiesX.pairs * tiesY.pairs) / (2 * ordered) +
    (n < 3 ? 0 : (tiesX.triples * tiesY.triples) / (9 * ordered * (n - 2)));
  return normalTails(difference / Math.sqrt(variance));
}

/** The share of orders of n things that have at most `most` pairs the wrong way round. */
function shareOfOrders(most: number, n: number): number {
  let shares = Float64Array.of(1);
  for (let placed = 2; placed <= n; placed++) {
    const next = new Float64Array(most + 1);
    // The thing placed now comes before 0 to placed - 1 of the others, each as likely.
    for (let pairs = 0; pairs <= most; pairs++) {
      for (let wrong = Math.max(0, pairs - placed + 1); wrong <= pairs; wrong++) {
        next[pairs] = (next[pairs] ?? 0) + (shares[wrong] ?? 0) / placed;
      }
    }
    shares = next;
  }
  return shares.reduce((sum, share) => sum + share, 0);
}

/** Over the groups of t tied rows: sums of t (t - 1), t (t - 1) (t - 2) and t (t - 1) (2 t + 5). */
function tieSums(column: Ranked) {
  let pairs = 0;
  let triples = 0;
  let weighted = 0;
  for (let level = 0; level < column.count.length; level++) {
    const t = column.count[level] ?? 0;
    if (t === 1) continue;
    pairs += t * (t - 1);
    triples += t * (t - 1) * (t - 2);
    weighted += t * (t - 1) * (2 * t + 5);
  }
  return { pairs, triples, weighted };
}
