import type { Estimate } from "../../stats/estimate.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { outcomeOf } from "../pairs/pair-sums.js";
import type { TieOptions } from "../pairs/score-ties.js";
import { swap } from "../pairs/swap.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureStatus,
  judged,
} from "./trust-card-figure.js";
import { behind, boundsOf, madeBy, missing, named } from "./trust-card-line.js";
import { meanOverItems } from "./trust-card-mean.js";
import type { PairCardRow } from "./trust-card-rows.js";

/** Far below a coin's 50 %: what is asked of a metric that looks at the whole image. */
const seldomConfused = { high: 0.15, text: "< 15 % (ours)" };

const counted = "15 % of swaps, a tie counted as half (a coin's share)";

/**
 * Whether it prefers the text with attributes swapped. A tie is no failure (L-VQAScore, section 3.2),
 * so that a metric which says the same of everything never fails; therefore what has to lie below the
 * bar are failures and half of the ties, as a coin would decide them.
 */
export function confusionFigure(
  rows: readonly PairCardRow[],
  subject: CardSubject,
  options: IntervalOptions & TieOptions,
): CardFigure {
  const about = { id: "attributeConfusion", title: "attribute confusion", of: "swaps" } as const;
  const { direction } = subject;
  const { metrics, intervals } = swap(
    rows.map(({ id, prompt = id, correct, adversarial }) => ({
      id,
      prompt,
      original: correct,
      swapped: adversarial,
      metric: "",
      set: "",
      generator: "",
    })),
    { ...options, directionOf: () => direction },
  );
  const overall = metrics[""]?.overall;
  if (overall === undefined) {
    return missing(about, subject, ["correct", "adversarial", "comparison (attribute-swap)"]);
  }
  const { failureRate, tieRate, n, unscored } = overall;
  const weighed = failuresAndHalfTies(rows, { ...options, direction, tieRate });
  const status = judged(weighed, seldomConfused, intervals.clusters);
  return {
    ...about,
    status,
    n,
    unscored,
    sentence: failureRate.value === null ? `Undefined: ${failureRate.reason}.` : sentences[status],
    estimate: named(failureRate, "swapped text better", "share"),
    ...boundsOf(overall),
    expectation: seldomConfused,
    further: {
      strictFailureRate: named(failureRate, "failures: swapped text better", "share"),
      tieRate: named(tieRate, "ties", "share"),
      failuresAndHalfTies: named(weighed, "failures + ½ ties", "share"),
    },
    beside: ["tieRate", "failuresAndHalfTies"],
    judgedBy: "failuresAndHalfTies",
    ...madeBy(intervals),
    behind: behind(subject, rows),
  };
}

const undecided = `Not shown to fail in less than ${counted}.`;
const sentences: Readonly<Record<FigureStatus, string>> = {
  holds: `Fails in less than ${counted}.`,
  fails: `Fails in more than ${counted}.`,
  undecided,
  measured: undecided,
  "not-measured": undecided,
  "not-applicable": undecided,
};

const shareOf = { fail: 1, tie: 1 / 2, pass: 0 } as const;

function failuresAndHalfTies(
  rows: readonly PairCardRow[],
  {
    direction,
    tieTolerance,
    tieRate,
    ...options
  }: IntervalOptions & TieOptions & Pick<CardSubject, "direction"> & { readonly tieRate: Estimate },
): Estimate {
  const { estimate } = meanOverItems(
    rows.flatMap(({ id, prompt, correct, adversarial }) =>
      correct === null || adversarial === null
        ? []
        : [
            {
              id,
              prompt,
              value: shareOf[outcomeOf(correct, adversarial, { direction, tieTolerance })],
            },
          ],
    ),
    { ...options, within: [0, 1] },
  );
  // Where all tie resamples agree; those that would not tie may then all pass, or all fail.
  if (tieRate.value !== 1 || tieRate.oneSided === undefined) return estimate;
  const low = tieRate.oneSided.low / 2;
  return { ...estimate, oneSided: { low, high: 1 - low } };
}
