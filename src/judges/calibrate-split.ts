import { randomFrom } from "../core/random.js";
import { answersNeeded } from "../ensembles/binomial-bound.js";

/** A labelled pair, as far as splitting asks. */
export interface SplittablePair {
  readonly caption: string;
  /**
   * Whether it came back from review. Such pairs were chosen because they are hard, so they are no
   * draw of what will be judged and must not decide.
   */
  readonly isReviewed: boolean;
}

/** Which pairs do what, by their numbers, in rising order. */
export interface LabelSplit {
  /** The judge is fitted to these. */
  readonly fitting: readonly number[];
  /** The threshold is set on these, which fitted nothing; one of each caption unless told otherwise. */
  readonly deciding: readonly number[];
  /** Further pairs of the deciding captions: they can neither fit nor decide. */
  readonly idle: readonly number[];
}

/** More labels than this hardly make a better fit of some twenty weights a group. */
const mostFitting = 50;

/**
 * Deals labels to those that fit and those that decide, captions whole, since pairs of one caption
 * resemble each other. Where all labels together are too few to certify the target, all fit.
 *
 * @param options.fitting how many labels of those that did not come from review are to fit; default a
 *   quarter, 50 at most.
 * @param options.everyPair whether all pairs of a caption decide; exact only if they are independent.
 */
export function splitLabels(
  pairs: readonly SplittablePair[],
  {
    fitting,
    everyPair = false,
    seed,
    target,
    confidence,
  }: {
    readonly fitting?: number | undefined;
    readonly everyPair?: boolean;
    readonly seed: number;
    readonly target: number;
    readonly confidence: number;
  },
): LabelSplit {
  const random = randomFrom(seed, "split of labels");
  const byCaption = new Map<string, number[]>();
  const reviewed = new Set<string>();
  for (const [at, { caption, isReviewed }] of pairs.entries()) {
    if (isReviewed) reviewed.add(caption);
    byCaption.set(caption, [...(byCaption.get(caption) ?? []), at]);
  }
  const drawn = pairs.filter(({ isReviewed }) => !isReviewed).length;
  const wanted = fitting ?? Math.min(mostFitting, Math.ceil(drawn / 4));
  const fits: number[] = [...reviewed].flatMap((caption) => byCaption.get(caption) ?? []);
  const decides: number[] = [];
  const idle: number[] = [];
  let given = fits.filter((at) => pairs[at]?.isReviewed === false).length;
  for (const caption of random.shuffle([...byCaption.keys()].sort())) {
    if (reviewed.has(caption)) continue;
    const members = byCaption.get(caption) ?? [];
    if (given < wanted) {
      fits.push(...members);
      given += members.length;
    } else if (everyPair) decides.push(...members);
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
  return { fitting: pairs.map((_, at) => at), deciding: [], idle: [] };
}
