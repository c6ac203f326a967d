import { cohenKappa, type KappaWeights } from "../../stats/cohen-kappa.js";

/** Ratings of items: those of item i stand from `start[i]` up to `start[i + 1]`. */
export interface RatedItems {
  readonly start: Int32Array;
  /** Which annotator gave each. */
  readonly number: Int32Array;
  /** The category of each, by its position. */
  readonly position: Int32Array;
}

/** Square matrices in the order of `annotators`, 1 on the diagonal, null where undefined. */
export interface PairwiseAgreement {
  readonly annotators: readonly string[];
  /** On how many items both gave a rating; on the diagonal, how many the annotator rated. */
  readonly n: readonly (readonly number[])[];
  readonly cohen: readonly (readonly (number | null)[])[];
  readonly linear: readonly (readonly (number | null)[])[];
  readonly quadratic: readonly (readonly (number | null)[])[];
  /** Share of shared items that both rated alike, 0 to 1. */
  readonly exact: readonly (readonly (number | null)[])[];
  /** … whose numbers differ by at most 1; null where categories are words, as in the next two. */
  readonly withinOne: readonly (readonly (number | null)[])[];
  /** Mean of the absolute difference, in the unit of the ratings; 0 on the diagonal. */
  readonly meanAbsoluteError: readonly (readonly (number | null)[])[];
  /** Mean of the column's rating minus the row's; 0 on the diagonal. */
  readonly bias: readonly (readonly (number | null)[])[];
  /** Why there are nulls, a sentence for each kind. */
  readonly reasons: readonly string[];
}

/**
 * Cohen's kappa of every two annotators on the items that both rated, without weights and with
 * linear and quadratic ones, which need categories in an order, and how far their numbers differ.
 *
 * @param options.numbers the number of each category; undefined where they are words.
 */
export function pairwiseAgreement(
  items: RatedItems,
  {
    annotators,
    isOrdered,
    numbers,
  }: {
    readonly annotators: readonly string[];
    readonly isOrdered: boolean;
    readonly numbers: readonly number[] | undefined;
  },
): PairwiseAgreement {
  const square = <Cell>(cell: Cell, diagonal: Cell) =>
    annotators.map((_, a) => annotators.map((_, b) => (a === b ? diagonal : cell)));
  const matrices = {
    n: square(0, 0),
    cohen: square<number | null>(null, 1),
    linear: square<number | null>(null, 1),
    quadratic: square<number | null>(null, 1),
    exact: square<number | null>(null, 1),
    withinOne: square<number | null>(null, numbers === undefined ? null : 1),
    meanAbsoluteError: square<number | null>(null, numbers === undefined ? null : 0),
    bias: square<number | null>(null, numbers === undefined ? null : 0),
  };
  const reasons = new Set<string>();
  const put = <Cell>(rows: Cell[][], [a, b]: readonly [number, number], value: Cell) => {
    rows[a]?.splice(b, 1, value);
    rows[b]?.splice(a, 1, value);
  };
  const given = new Int32Array(annotators.length);
  for (const number of items.number) given[number] = (given[number] ?? 0) + 1;
  for (const [number, count] of given.entries()) put(matrices.n, [number, number], count);
  for (const { pair, one, other } of sharedRatings(items, annotators.length)) {
    put(matrices.n, pair, one.length);
    const errors = ratingErrors(numbersOf(one, numbers), numbersOf(other, numbers));
    put<number | null>(matrices.exact, pair, errors.exact);
    if (numbers !== undefined) {
      put<number | null>(matrices.withinOne, pair, errors.withinOne);
      put<number | null>(matrices.meanAbsoluteError, pair, errors.meanAbsoluteError);
      const [a, b] = pair;
      matrices.bias[a]?.splice(b, 1, errors.bias);
      matrices.bias[b]?.splice(a, 1, 0 - errors.bias);
    }
    const { first, second, times } = differentPairs(one, other);
    const kappa = (weights: KappaWeights) => cohenKappa(first, second, weights, times);
    const cohen = kappa("none");
    if (Number.isNaN(cohen)) {
      reasons.add("two annotators gave all items they share one category");
      continue;
    }
    put<number | null>(matrices.cohen, pair, cohen);
    if (!isOrdered) {
      reasons.add("weights need categories in an order, and these words have none");
      continue;
    }
    put<number | null>(matrices.linear, pair, kappa("linear"));
    put<number | null>(matrices.quadratic, pair, kappa("quadratic"));
  }
  if (matrices.n.some((row, a) => row.some((n, b) => n === 0 && a !== b))) {
    reasons.add("two annotators share no item");
  }
  return { annotators, ...matrices, reasons: [...reasons] };
}

function numbersOf(positions: Int32Array, numbers: readonly number[] | undefined): Float64Array {
  const its = new Float64Array(positions.length);
  for (let at = 0; at < its.length; at++) {
    const position = positions[at] ?? 0;
    its[at] = numbers?.[position] ?? position;
  }
  return its;
}

/** Pairs of positions, each once, and how often it occurs. */
function differentPairs(one: Int32Array, other: Int32Array) {
  const size = 1 + other.reduce((most, each) => Math.max(most, each), 0);
  const counts = new Map<number, number>();
  for (let at = 0; at < one.length; at++) {
    const pair = (one[at] ?? 0) * size + (other[at] ?? 0);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const pairs = [...counts.keys()];
  return {
    first: pairs.map((pair) => Math.floor(pair / size)),
    second: pairs.map((pair) => pair % size),
    times: [...counts.values()],
  };
}

interface SharedRatings {
  readonly pair: readonly [number, number];
  readonly one: Int32Array;
  readonly other: Int32Array;
}

/** The ratings of every two annotators who share items, pairs in the order in which they first meet. */
function sharedRatings(items: RatedItems, annotators: number): SharedRatings[] {
  const counts = new Map<number, number>();
  eachPair(items, annotators, (pair) => counts.set(pair, (counts.get(pair) ?? 0) + 1));
  const pairs = new Map(
    Array.from(counts, ([pair, count]) => {
      const of = [Math.floor(pair / annotators), pair % annotators] as const;
      const ratings = { one: new Int32Array(count), other: new Int32Array(count), next: 0 };
      return [pair, { pair: of, ...ratings }];
    }),
  );
  eachPair(items, annotators, (pair, one, other) => {
    const shared = pairs.get(pair);
    if (shared === undefined) return;
    shared.one[shared.next] = one;
    shared.other[shared.next] = other;
    shared.next += 1;
  });
  return [...pairs.values()];
}

/** Goes over every two ratings of an item: the number of the annotators' pair, and their categories. */
function eachPair(
  { start, number, position }: RatedItems,
  annotators: number,
  found: (pair: number, one: number, other: number) => void,
): void {
  for (let item = 0; item < start.length - 1; item++) {
    const from = start[item] ?? 0;
    const to = start[item + 1] ?? 0;
    for (let first = from; first < to; first++) {
      for (let second = first + 1; second < to; second++) {
        found(
          (number[first] ?? 0) * annotators + (number[second] ?? 0),
          position[first] ?? 0,
          position[second] ?? 0,
        );
      }
    }
  }
}

/** How far one rater's numbers lie from another's of the same items. */
interface RatingErrors {
  /** Share of items that both rated the same, 0 to 1. */
  readonly exact: number;
  /** Share of items whose ratings differ by at most 1. */
  readonly withinOne: number;
  /** Mean of |other - one|, in the unit of the ratings. */
  readonly meanAbsoluteError: number;
  /** Mean of other - one: above 0 where `other` rates higher. */
  readonly bias: number;
}

/**
 * @param one ratings of some items; `other` those of the same items, in the same order.
 * @returns NaN in all where there is no item.
 * @example ratingErrors([1, 2, 5], [1, 3, 3]).withinOne // 0.666…
 */
export function ratingErrors(one: ArrayLike<number>, other: ArrayLike<number>): RatingErrors {
  let exact = 0;
  let near = 0;
  let far = 0;
  let sum = 0;
  for (let item = 0; item < one.length; item++) {
    const difference = (other[item] ?? 0) - (one[item] ?? 0);
    const size = Math.abs(difference);
    if (size === 0) exact += 1;
    // 0.3 and 1.3 differ by 1 as they are written.
    if (size <= 1 + 1e-9) near += 1;
    far += size;
    sum += difference;
  }
  const n = one.length;
  return { exact: exact / n, withinOne: near / n, meanAbsoluteError: far / n, bias: sum / n };
}
