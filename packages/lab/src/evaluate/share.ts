import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { clusteredShare } from "touchstone-t2i/internal/stats/share-interval.js";

/** A share of answers with a 95 % interval; what was not answered stands apart. */
export interface Share extends Estimate {
  /** How many were answered. */
  readonly n: number;
  readonly successes: number;
  readonly unscored: number;
}

/**
 * @param outcomes one for each item; undefined where there was no answer.
 * @param pictures of each item the picture that it is about, whose answers are right or wrong
 *   together; where not given, each has one of its own.
 */
export function shareOf(
  outcomes: readonly (boolean | undefined)[],
  pictures: readonly number[] = outcomes.map((_, index) => index),
): Share {
  const clusters = new Map<number, { successes: number; n: number }>();
  outcomes.forEach((outcome, index) => {
    if (outcome === undefined) return;
    const picture = pictures[index] ?? -1;
    const { successes, n } = clusters.get(picture) ?? { successes: 0, n: 0 };
    clusters.set(picture, { successes: successes + Number(outcome), n: n + 1 });
  });
  const counts = [...clusters.values()];
  const n = counts.reduce((sum, count) => sum + count.n, 0);
  const successes = counts.reduce((sum, count) => sum + count.successes, 0);
  return { n, successes, unscored: outcomes.length - n, ...clusteredShare(counts) };
}

/**
 * A share for each of some items' names, in the order in which these come.
 *
 * @param names of each outcome one, such as the style of its picture.
 */
export function sharesBy(
  outcomes: readonly (boolean | undefined)[],
  names: readonly string[],
): Record<string, Share> {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      shareOf(outcomes.filter((_, index) => names[index] === name)),
    ]),
  );
}

/** Waits for an answer; undefined where the model has none. Other errors are passed on. */
export async function answerOrNone<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
