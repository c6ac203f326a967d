import { append } from "../core/append.js";
import { randomFrom } from "../core/random.js";
import { answersNeeded } from "../ensembles/binomial-bound.js";

/** A labelled item, as far as splitting asks. */
export interface SplittableItem {
  /** Group of items that resemble each other, such as the caption of a pair. */
  readonly group: string;
  /**
   * Whether it came back from review. Such items were chosen because they are hard, so they are no
   * draw of what will be judged: they must neither decide nor say what else does. Others are drawn.
   */
  readonly isReviewed: boolean;
}

/** Which items do what, by their numbers, in rising order. */
export interface LabelSplit {
  /** The judge is fitted to these. */
  readonly fitting: readonly number[];
  /** The threshold is set on these, which are held out; one of each group unless told otherwise. */
  readonly deciding: readonly number[];
  /** Further items of the deciding groups, from review too: they can neither fit nor decide. */
  readonly idle: readonly number[];
  /** How many may decide, were none to fit: the drawn ones, one of each group unless told otherwise. */
  readonly couldDecide: number;
}

/** More labels than this hardly make a better fit of some twenty weights a group. */
const mostFitting = 50;

/** The numbers of the drawn items of each group, groups by name. */
export function drawnGroups(items: readonly SplittableItem[]): ReadonlyMap<string, number[]> {
  const byGroup = new Map<string, number[]>();
  for (const [at, { group, isReviewed }] of items.entries()) {
    if (!isReviewed) byGroup.set(group, [...(byGroup.get(group) ?? []), at]);
  }
  return new Map([...byGroup].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Deals labels to those that fit and those that decide, groups whole, since items of one group
 * resemble each other. Only drawn items are dealt, so that those that decide are the same whatever
 * comes back from review; that fits, but for items of a group that decides. Where the labels that
 * would decide are too few to certify the target, all fit.
 *
 * @param options.fitting how many drawn labels are to fit; default a quarter, 50 at most.
 * @param options.everyLabel whether all items of a group decide; exact only if they are independent.
 */
export function splitLabels(
  items: readonly SplittableItem[],
  {
    fitting,
    everyLabel = false,
    seed,
    target,
    confidence,
  }: {
    readonly fitting?: number | undefined;
    readonly everyLabel?: boolean;
    readonly seed: number;
    readonly target: number;
    readonly confidence: number;
  },
): LabelSplit {
  const random = randomFrom(seed, "split of labels");
  const groups = drawnGroups(items);
  const drawn = items.filter(({ isReviewed }) => !isReviewed).length;
  const couldDecide = everyLabel ? drawn : groups.size;
  const wanted = fitting ?? Math.min(mostFitting, Math.ceil(drawn / 4));
  const fits: number[] = [];
  const decides: number[] = [];
  const idle: number[] = [];
  const deciding = new Set<string>();
  for (const [group, members] of random.shuffle([...groups])) {
    if (fits.length < wanted) {
      append(fits, members);
      continue;
    }
    deciding.add(group);
    const [one, ...others] = everyLabel ? members : random.shuffle(members);
    if (one !== undefined) decides.push(one);
    append(everyLabel ? decides : idle, others);
  }
  const isEnough = decides.length >= answersNeeded(0, { target, confidence });
  if (!isEnough && fitting === undefined) {
    return { fitting: items.map((_, at) => at), deciding: [], idle: [], couldDecide };
  }
  for (const [at, { group, isReviewed }] of items.entries()) {
    if (isReviewed) (deciding.has(group) ? idle : fits).push(at);
  }
  const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
  return { fitting: inOrder(fits), deciding: inOrder(decides), idle: inOrder(idle), couldDecide };
}
