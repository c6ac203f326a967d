import { cohenKappa } from "../../stats/cohen-kappa.js";
import { ratingErrors } from "../../stats/rating-errors.js";

/** One rating: by the annotator with this number, the category at this position. */
export interface Rating {
  readonly number: number;
  readonly position: number;
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
  items: readonly (readonly Rating[])[],
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
  for (const ratings of items) {
    for (const { number } of ratings) {
      put(matrices.n, [number, number], (matrices.n[number]?.[number] ?? 0) + 1);
    }
  }
  for (const { pair, one, other } of sharedRatings(items, annotators.length)) {
    put(matrices.n, pair, one.length);
    const numberOf = (position: number) => numbers?.[position] ?? position;
    const errors = ratingErrors(one.map(numberOf), other.map(numberOf));
    put<number | null>(matrices.exact, pair, errors.exact);
    if (numbers !== undefined) {
      put<number | null>(matrices.withinOne, pair, errors.withinOne);
      put<number | null>(matrices.meanAbsoluteError, pair, errors.meanAbsoluteError);
      const [a, b] = pair;
      matrices.bias[a]?.splice(b, 1, errors.bias);
      matrices.bias[b]?.splice(a, 1, 0 - errors.bias);
    }
    const cohen = cohenKappa(one, other);
    if (Number.isNaN(cohen)) {
      reasons.add("two annotators gave all items they share one category");
      continue;
    }
    put<number | null>(matrices.cohen, pair, cohen);
    if (!isOrdered) {
      reasons.add("weights need categories in an order, and these words have none");
      continue;
    }
    put<number | null>(matrices.linear, pair, cohenKappa(one, other, "linear"));
    put<number | null>(matrices.quadratic, pair, cohenKappa(one, other, "quadratic"));
  }
  if (matrices.n.some((row, a) => row.some((n, b) => n === 0 && a !== b))) {
    reasons.add("two annotators share no item");
  }
  return { annotators, ...matrices, reasons: [...reasons] };
}

interface SharedRatings {
  readonly pair: readonly [number, number];
  readonly one: number[];
  readonly other: number[];
}

function sharedRatings(
  items: readonly (readonly Rating[])[],
  annotators: number,
): Iterable<SharedRatings> {
  const pairs = new Map<number, SharedRatings>();
  for (const ratings of items) {
    const sorted = [...ratings].sort((a, b) => a.number - b.number);
    for (const [at, first] of sorted.entries()) {
      for (let next = at + 1; next < sorted.length; next++) {
        const second = sorted[next] ?? first;
        const key = first.number * annotators + second.number;
        let shared = pairs.get(key);
        if (shared === undefined) {
          shared = { pair: [first.number, second.number], one: [], other: [] };
          pairs.set(key, shared);
        }
        shared.one.push(first.position);
        shared.other.push(second.position);
      }
    }
  }
  return pairs.values();
}
