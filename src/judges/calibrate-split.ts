import { randomFrom } from "../core/random.js";
import { answersNeeded } from "../ensembles/binomial-bound.js";

/** A labelled item, as far as splitting asks. */
export interface SplittableItem {
  /** What it shares with others that resemble it, such as the caption of a pair. */
  readonly group: string;
  /**
   * Whether it came back from review. Such items were chosen because they are hard, so they are no
   * draw of what will be judged and must not decide.
   */
  readonly isReviewed: boolean;
}

/** Which items do what, by their numbers, in rising order. */
export interface LabelSplit {
  /** The judge is fitted to these. */
  readonly fitting: readonly number[];
  /** The threshold is set on these, which fitted nothing; one of each group unless told otherwise. */
  readonly deciding: readonly number[];
  /** Further items of the deciding groups: they can neither fit nor decide. */
  readonly idle: readonly number[];
}

/** More labels than this hardly make a better fit of some twenty weights a group. */
const mostFitting = 50;

/**
 * Deals labels to those that fit and those that decide, groups whole, since items of one group
 * resemble each other. Where all labels together are too few to certify the target, all fit.
 *
 * @param options.fitting how many labels of those that did not come from review are to fit; default a
 *   quarter, 50 at most.
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
  const byGroup = new Map<string, number[]>();
  const reviewed = new Set<string>();
  for (const [at, { group, isReviewed }] of items.entries()) {
    if (isReviewed) reviewed.add(group);
    byGroup.set(group, [...(byGroup.get(group) ?? []), at]);
  }
  const drawn = items.filter(({ isReviewed }) => !isReviewed).length;
  const wanted = fitting ?? Math.min(mostFitting, Math.ceil(drawn / 4));
  const fits: number[] = [...reviewed].flatMap((group) => byGroup.get(group) ?? []);
  const decides: number[] = [];
  const idle: number[] = [];
  let given = fits.filter((at) => items[at]?.isReviewed === false).length;
  for (const group of random.shuffle([...byGroup.keys()].sort())) {
    if (reviewed.has(group)) continue;
    const members = byGroup.get(group) ?? [];
    if (given < wanted) {
      fits.push(...members);
      given += members.length;
    } else if (everyLabel) decides.push(...members);
    else {
      const [one, ...others] = random.shuffle(members);
      if (one !== undefined) decides.push(one);
      idle.push(...others);
    }
  }
  const isEnough = decides.length >= answersNeeded(0, { target, confidence });
  const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
  if (isEnough || fitting !== undefined) {
    return { fitting: inOrder(fits), deciding: inOrder(decides), idle: inOrder(idle) };
  }
  return { fitting: items.map((_, at) => at), deciding: [], idle: [] };
}
