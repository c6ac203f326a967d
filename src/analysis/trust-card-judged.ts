import type { IntervalOptions } from "./intervals.js";
import { contradicts, placeBias } from "./position-bias.js";
import { type CardFigure, type CardSubject, judged } from "./trust-card-figure.js";
import { behind, type FigureHead, missing, named } from "./trust-card-line.js";
import { meanOverItems } from "./trust-card-mean.js";
import {
  type AnsweredCardRow,
  type CardRow,
  equalPairs,
  isAnswered,
  judgedPairs,
} from "./trust-card-rows.js";

/** What is concluded from a judge's answers about pairs of images, each in both orders. */
export function judgedFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure[] {
  return [positionBias(rows, subject, options), noPreference(rows, subject, options)];
}

const noPlace = { low: -0.05, high: 0.05, text: "−5 to 5 points" };
const unsure = { high: 0.6, text: "< 60 %, 50 at best" };

function positionBias(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  const head = { id: "positionBias", title: "position bias", of: "pairs" } as const;
  const used = judgedPairs(rows);
  if (used.length === 0) {
    return notJudged(head, subject, {
      needs: ["first", "turned"],
      ofImages: "It scores one image at a time: there is no first and no second.",
    });
  }
  const whole = used.filter(isAnswered);
  const mean = (numberOf: Reading, within: Range) =>
    meanOfPairs(whole, numberOf, { ...options, within });
  const { estimate, intervals } = mean(placeBias, [-1 / 2, 1 / 2]);
  const { low, high } = estimate;
  const status = judged(estimate, noPlace, intervals.clusters);
  return {
    ...head,
    ...{ status, n: whole.length, unscored: used.length - whole.length },
    sentence:
      estimate.value === null
        ? `Undefined: ${noneAnswered}.`
        : status === "holds"
          ? "Favours neither place by more than 5 points."
          : low !== null && low > 0
            ? "Favours the image that it is shown first, whichever that is."
            : high !== null && high < 0
              ? "Favours the image that it is shown second, whichever that is."
              : "Not shown to favour neither place.",
    estimate: named(estimate, "mean P(the one shown first) minus a half", "points"),
    expectation: noPlace,
    further: {
      inconsistent: named(
        mean((first, turned) => (contradicts(first, turned) ? 1 : 0), [0, 1]).estimate,
        "pairs decided otherwise when turned round",
        "share",
      ),
    },
    intervals: intervals.text,
    behind: behind(subject, used),
  };
}

/** Slyman et al. (2025), MJBench-Bias: where neither image is better a judge should be sure of neither. */
function noPreference(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  const head = { id: "noPreference", title: "no-preference confidence", of: "pairs" } as const;
  const used = equalPairs(rows);
  if (used.length === 0) {
    return notJudged(head, subject, {
      needs: ["first", "turned", "equal"],
      ofImages: "It scores one image at a time and is not asked which of two is better.",
    });
  }
  const whole = used.filter(isAnswered);
  const mean = (numberOf: Reading) =>
    meanOfPairs(whole, numberOf, { ...options, within: [1 / 2, 1] });
  const { estimate, intervals } = mean((first, turned) => (sureness(first) + sureness(turned)) / 2);
  const status = judged(estimate, unsure, intervals.clusters);
  return {
    ...head,
    ...{ status, n: whole.length, unscored: used.length - whole.length },
    sentence:
      estimate.value === null
        ? `Undefined: ${noneAnswered}.`
        : status === "holds"
          ? "Hardly surer than a coin where neither image is better."
          : status === "fails"
            ? "Sure of an answer where neither image is better."
            : "Not shown to be unsure where neither image is better.",
    estimate: named(estimate, "mean confidence where neither is better", "share"),
    expectation: unsure,
    further: {
      bothOrders: named(
        mean((first, turned) => sureness((first + 1 - turned) / 2)).estimate,
        "the same of both orders' mean, which no place can sway",
        "share",
      ),
    },
    intervals: intervals.text,
    behind: behind(subject, used),
  };
}

type Range = readonly [low: number, high: number];

/** What is read off a pair's two answers. */
type Reading = (first: number, turned: number) => number;

const meanOfPairs = (
  pairs: readonly AnsweredCardRow[],
  numberOf: Reading,
  options: IntervalOptions & { readonly within: Range },
) =>
  meanOverItems(
    pairs.map(({ id, prompt, first, turned }) => ({ id, prompt, value: numberOf(first, turned) })),
    options,
  );

const noneAnswered = "no pair was judged in both orders";

const sureness = (probability: number) => Math.max(probability, 1 - probability);

/** What only judges of two images can be asked. */
function notJudged(
  head: FigureHead,
  subject: CardSubject,
  { needs, ofImages }: { readonly needs: readonly string[]; readonly ofImages: string },
): CardFigure {
  return subject.isPairwise === false
    ? { ...missing(head, subject, []), status: "not-applicable", sentence: ofImages }
    : missing(head, subject, needs);
}
