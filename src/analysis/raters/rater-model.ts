import { exp } from "../../stats/elementary/exponential.js";
import { log } from "../../stats/elementary/logarithm.js";
/** Ratings of items by raters, an entry each; numbers count from 0. */
export interface RaterTable {
  readonly items: number;
  readonly raters: number;
  readonly categories: number;
  readonly item: Int32Array;
  readonly rater: Int32Array;
  readonly label: Int32Array;
  /** How much each rater counts for an item's answer. Default 1. */
  readonly votes?: Float64Array | undefined;
}

/** What a model of raters finds. */
export interface FittedRaters {
  /** P(right answer of item i is k) at `i * categories + k`. */
  readonly posterior: Float64Array;
  /** P(a rater answers so | the right answer of the item is so). */
  answer(place: { rater: number; item: number; right: number; label: number }): number;
}

export interface FitOptions {
  /** Of each item, such as how often a resample drew it. Default 1. */
  readonly weights?: Float64Array | undefined;
  /** P(right answer) to start from, as in `posterior`. Default: shares of the votes. */
  readonly start?: Float64Array | undefined;
  /** The largest change of a probability at which iterations end. Default 1e-6. */
  readonly tolerance?: number | undefined;
}

/** How raters answer, as the two halves of an expectation-maximisation. */
export interface RaterModel<State> {
  /** Whether shares of categories are learnt; else all are equal. */
  readonly learnsShares: boolean;
  /**
   * The parameters that fit the answers best where right answers have these probabilities.
   *
   * @param state those of the iteration before; undefined in the first.
   */
  maximise(table: RaterTable, right: Right, state: State | undefined): State;
  /** Adds log P(label | k) of each rating, times the rater's vote, to `logs`, at `item * categories + k`. */
  addLogs(state: State, table: RaterTable, logs: Float64Array): void;
  answer(state: State, place: Parameters<FittedRaters["answer"]>[0]): number;
}

/** What is known of right answers, and the weight of each item. */
export interface Right {
  readonly posterior: Float64Array;
  readonly weights: Float64Array;
}

const mostIterations = 1000;

/**
 * Fits a model of raters by expectation-maximisation (Dempster, Laird and Rubin 1977), from the shares of the votes.
 * Where most raters of an item are wrong together, so is what it finds.
 */
export function fitRaters<State>(
  model: RaterModel<State>,
  table: RaterTable,
  { weights = new Float64Array(table.items).fill(1), start, tolerance = 1e-6 }: FitOptions = {},
): FittedRaters {
  let posterior = start ?? voteShares(table);
  let shares = sharesOf(posterior, weights, table);
  let state = model.maximise(table, { posterior, weights }, undefined);
  let change = Number.POSITIVE_INFINITY;
  for (let iteration = 0; change > tolerance && iteration < mostIterations; iteration++) {
    const next = expected(model, table, { state, shares: model.learnsShares ? shares : undefined });
    change = largestChange(posterior, next);
    posterior = next;
    shares = sharesOf(posterior, weights, table);
    state = model.maximise(table, { posterior, weights }, state);
  }
  return {
    posterior,
    answer: (place) => model.answer(state, place),
  };
}

/** How the votes on each item are shared out; equal where there are none. */
export function voteShares({
  items,
  categories,
  item,
  rater,
  label,
  votes,
}: RaterTable): Float64Array {
  const shares = new Float64Array(items * categories);
  for (let at = 0; at < item.length; at++) {
    const place = (item[at] ?? 0) * categories + (label[at] ?? 0);
    shares[place] = (shares[place] ?? 0) + (votes?.[rater[at] ?? 0] ?? 1);
  }
  for (let one = 0; one < items; one++) normalise(shares, one * categories, categories);
  return shares;
}

/** Makes some numbers sum to 1; equal ones where all are 0. */
export function normalise(numbers: Float64Array, from: number, count: number): void {
  let sum = 0;
  for (let at = from; at < from + count; at++) sum += numbers[at] ?? 0;
  for (let at = from; at < from + count; at++) {
    numbers[at] = sum === 0 ? 1 / count : (numbers[at] ?? 0) / sum;
  }
}

function sharesOf(
  posterior: Float64Array,
  weights: Float64Array,
  { items, categories }: RaterTable,
): Float64Array {
  const shares = new Float64Array(categories);
  for (let item = 0; item < items; item++) {
    for (let k = 0; k < categories; k++) {
      const share = posterior[item * categories + k] ?? 0;
      shares[k] = (shares[k] ?? 0) + (weights[item] ?? 0) * share;
    }
  }
  normalise(shares, 0, categories);
  return shares;
}

/** No share is smaller: a category that nobody has now may come back. */
const leastShare = 1e-10;

function expected<State>(
  model: RaterModel<State>,
  table: RaterTable,
  { state, shares }: { readonly state: State; readonly shares: Float64Array | undefined },
): Float64Array {
  const { items, categories } = table;
  const logs = new Float64Array(items * categories);
  if (shares !== undefined) {
    const logShares = shares.map((share) => log(Math.max(share, leastShare)));
    for (let one = 0; one < items; one++) logs.set(logShares, one * categories);
  }
  model.addLogs(state, table, logs);
  for (let one = 0; one < items; one++) {
    const from = one * categories;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < categories; k++) most = Math.max(most, logs[from + k] ?? 0);
    for (let k = 0; k < categories; k++) logs[from + k] = exp((logs[from + k] ?? 0) - most);
    normalise(logs, from, categories);
  }
  return logs;
}

function largestChange(one: Float64Array, other: Float64Array): number {
  let most = 0;
  for (let at = 0; at < one.length; at++) {
    most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
  }
  return most;
}

/** How often each rater is expected to have answered l where k was right: at `(rater * categories + k) * categories + l`. */
export function confusionCounts(
  { raters, categories, item, rater, label }: RaterTable,
  { posterior, weights }: Right,
): Float64Array {
  const counts = new Float64Array(raters * categories * categories);
  for (let at = 0; at < item.length; at++) {
    const one = item[at] ?? 0;
    const weight = weights[one] ?? 0;
    const from = (rater[at] ?? 0) * categories;
    for (let k = 0; k < categories; k++) {
      const place = (from + k) * categories + (label[at] ?? 0);
      counts[place] = (counts[place] ?? 0) + weight * (posterior[one * categories + k] ?? 0);
    }
  }
  return counts;
}

/** A model by which a rater's answers depend on the right one alone, given as a table of its probabilities. */
export function byConfusion<State>(parts: {
  readonly learnsShares: boolean;
  maximise(table: RaterTable, right: Right, state: State | undefined): State;
  /** As `confusionCounts` orders them. */
  probabilities(state: State): Float64Array;
  /** Those that the expectation takes, where they are others: need not sum to 1. */
  logarithms?(state: State): Float64Array;
}): RaterModel<{
  own: State;
  probabilities: Float64Array;
  logs: Float64Array;
  categories: number;
}> {
  return {
    learnsShares: parts.learnsShares,
    maximise(table, right, state) {
      const own = parts.maximise(table, right, state?.own);
      const probabilities = parts.probabilities(own);
      const logs = parts.logarithms?.(own) ?? probabilities.map(log);
      return { own, probabilities, logs, categories: table.categories };
    },
    addLogs({ logs: table }, { categories, item, rater, label, votes }, logs) {
      for (let at = 0; at < item.length; at++) {
        const vote = votes?.[rater[at] ?? 0] ?? 1;
        const to = (item[at] ?? 0) * categories;
        const from = (rater[at] ?? 0) * categories * categories + (label[at] ?? 0);
        for (let k = 0; k < categories; k++) {
          logs[to + k] = (logs[to + k] ?? 0) + vote * (table[from + k * categories] ?? 0);
        }
      }
    },
    answer: ({ probabilities, categories }, { rater, right, label }) =>
      probabilities[(rater * categories + right) * categories + label] ?? 0,
  };
}
