import { append } from "../core/arrays.js";
import { randomFrom } from "../core/random.js";
import { answersNeeded } from "./binomial-bound.js";
import { type Assurance, ofTry } from "./selective-certificate.js";

/** A labelled item, as far as splitting asks. */
export interface SplittableItem {
  /** Group of items that resemble each other, such as the caption of a pair. */
  readonly group: string;
  /**
   * Whether it came back from a review of what a judge was unsure of. Such items were chosen because
   * they are hard, so they are no draw of what will be judged: they neither fit nor decide, nor say
   * what else does. Others are drawn.
   */
  readonly isReviewed: boolean;
}

/** Which items do what, by their numbers, in rising order. */
export interface LabelSplit {
  /** The judge is fitted to these. */
  readonly fitting: readonly number[];
  /** The threshold is set on these, which are held out; one of each group unless told otherwise. */
  readonly deciding: readonly number[];
  /** Further items of the deciding groups, and all from review: they neither fit nor decide. */
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
    if (isReviewed) continue;
    const known = byGroup.get(group);
    if (known === undefined) byGroup.set(group, [at]);
    else known.push(at);
  }
  return new Map([...byGroup].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Deals labels to those that fit and those that decide, groups whole, since items of one group
 * resemble each other. Only drawn items are dealt: whatever comes back from review, the same ones fit
 * and decide, so the judge and its certificate are the same, too. Where the labels that would decide
 * are too few to certify the target, all drawn ones fit.
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
    ...assurance
  }: {
    readonly fitting?: number | undefined;
    readonly everyLabel?: boolean;
    readonly seed: number;
  } & Assurance,
): LabelSplit {
  const random = randomFrom(seed, "split of labels");
  const groups = drawnGroups(items);
  let drawn = 0;
  for (const { length } of groups.values()) drawn += length;
  const couldDecide = everyLabel ? drawn : groups.size;
  const wanted = fitting ?? Math.min(mostFitting, Math.ceil(drawn / 4));
  const fits: number[] = [];
  const decides: number[] = [];
  for (const [, members] of random.shuffle([...groups])) {
    if (fits.length < wanted) {
      append(fits, members);
      continue;
    }
    const [one] = everyLabel ? [] : random.shuffle(members);
    if (one === undefined) append(decides, members);
    else decides.push(one);
  }
  const isEnough = decides.length >= answersNeeded(0, ofTry(assurance));
  const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
  const [fit, deciding] =
    !isEnough && fitting === undefined
      ? [inOrder([...groups.values()].flat()), []]
      : [inOrder(fits), inOrder(decides)];
  return {
    fitting: fit,
    deciding,
    // Few ask for what may be nearly all.
    get idle() {
      const used = new Set([...fit, ...deciding]);
      return [...items.keys()].filter((at) => !used.has(at));
    },
    couldDecide,
  };
}
