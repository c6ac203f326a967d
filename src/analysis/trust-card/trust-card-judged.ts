import type { Estimate } from "../../stats/estimate.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { whichSide } from "../inference/one-sided-bound.js";
import type { Choice, VoteRow } from "../judge-check/row-ratios.js";
import {
  type CardFigure,
  type CardSubject,
  type Expectation,
  type FigureUnit,
  judged,
} from "./trust-card-figure.js";
import {
  behind,
  type FigureHead,
  madeBy,
  meanOverItems,
  missing,
  named,
} from "./trust-card-line.js";
import {
  type AnsweredCardRow,
  type CardRow,
  equalPairs,
  isAnswered,
  judgedPairs,
} from "./trust-card-rows.js";

/** Figures concluded from a judge's answers about pairs of images, each in both orders. */
export function judgedFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure[] {
  return [positionBias(rows, subject, options), noPreference(rows, subject, options)];
}

/** A judge's answers as `judge check` reads them; the image that is first in `first` is a. */
export const judgedVotes = (rows: readonly CardRow[]): VoteRow[] =>
  judgedPairs(rows).map(({ id, prompt, first, turned, label }) => ({
    id,
    prompt,
    vote: choiceOf(first, ["a", "b"]),
    swapped: choiceOf(turned, ["b", "a"]),
    human: label === 1 ? "a" : label === 0 ? "b" : undefined,
  }));

/** Which of two images a probability that the first of them is better prefers. */
function choiceOf(
  probability: number | null | undefined,
  [first, second]: readonly [Choice, Choice],
): Choice | null {
  if (typeof probability !== "number") return null;
  return probability === 0.5 ? "tie" : probability > 0.5 ? first : second;
}

/** P(the image shown first is better) - 1/2 of one pair, over both orders: its being better falls out. */
const placeBias = (first: number, turned: number): number => (first + turned) / 2 - 1 / 2;

/** Tests if the same place wins in both orders, so that the images differ; a tie contradicts none. */
const contradicts = (first: number, turned: number): boolean =>
  (first - 1 / 2) * (1 / 2 - turned) < 0;

const noPlace = { low: -0.05, high: 0.05, text: "−5 to 5 points from 50 %" };
const unsure = { high: 0.6, text: "< 60 %, 50 at best" };

function positionBias(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  return figureOfPairs(judgedPairs(rows), subject, {
    head: { id: "positionBias", title: "position bias", of: "pairs" },
    needs: ["first", "turned"],
    ofImages: "It scores one image at a time: there is no first and no second.",
    options,
    expectation: noPlace,
    within: [-1 / 2, 1 / 2],
    numberOf: placeBias,
    name: "mean P(the one shown first) minus a half",
    unit: "points",
    sentenceOf: (estimate, status) =>
      status === "holds"
        ? "Favours neither place by more than 5 points."
        : whichSide(estimate) === "above"
          ? "Favours the image that it is shown first, whichever that is."
          : whichSide(estimate) === "below"
            ? "Favours the image that it is shown second, whichever that is."
            : "Not shown to favour neither place.",
    further: {
      key: "inconsistent",
      name: "pairs decided otherwise when turned round",
      within: [0, 1],
      numberOf: (first, turned) => (contradicts(first, turned) ? 1 : 0),
    },
  });
}

/** Slyman et al. (2025), MJBench-Bias: where neither image is better a judge should be sure of neither. */
function noPreference(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  return figureOfPairs(equalPairs(rows), subject, {
    head: { id: "noPreference", title: "no-preference confidence", of: "pairs" },
    needs: ["first", "turned", "equal"],
    ofImages: "It scores one image at a time and is not asked which of two is better.",
    options,
    expectation: unsure,
    within: [1 / 2, 1],
    numberOf: (first, turned) => (sureness(first) + sureness(turned)) / 2,
    name: "mean confidence where neither is better",
    unit: "share",
    sentenceOf: (_, status) =>
      status === "holds"
        ? "Hardly surer than a coin where neither image is better."
        : status === "fails"
          ? "Sure of an answer where neither image is better."
          : "Not shown to be unsure where neither image is better.",
    further: {
      key: "bothOrders",
      name: "the same of both orders' mean, which no place can sway",
      within: [1 / 2, 1],
      numberOf: (first, turned) => sureness((first + 1 - turned) / 2),
    },
  });
}

/** A mean of what is read off each pair's two answers. */
interface MeanOfPairs {
  readonly name: string;
  readonly within: Range;
  readonly numberOf: Reading;
}

interface PairsFigure extends MeanOfPairs {
  readonly head: FigureHead;
  /** Columns without which there are no such pairs. */
  readonly needs: readonly string[];
  /** Why what scores images has no such figure. */
  readonly ofImages: string;
  readonly options: IntervalOptions;
  readonly expectation: Expectation;
  readonly unit: FigureUnit;
  sentenceOf(estimate: Estimate, status: CardFigure["status"]): string;
  /** A share that stands beside it. */
  readonly further: MeanOfPairs & { readonly key: string };
}

/** Figures that only judges of two images have. */
function figureOfPairs(
  pairs: readonly CardRow[],
  subject: CardSubject,
  { head, needs, ofImages, options, expectation, unit, sentenceOf, further, ...own }: PairsFigure,
): CardFigure {
  if (pairs.length === 0) {
    return subject.isPairwise === false
      ? { ...missing(head, subject, []), status: "not-applicable", sentence: ofImages }
      : missing(head, subject, needs);
  }
  const whole = pairs.filter(isAnswered);
  const mean = ({ numberOf, within }: MeanOfPairs) =>
    meanOfPairs(whole, numberOf, { ...options, within });
  const { estimate, intervals } = mean(own);
  const status = judged(estimate, expectation, intervals.clusters);
  return {
    ...head,
    status,
    n: whole.length,
    unscored: pairs.length - whole.length,
    sentence:
      estimate.value === null ? `Undefined: ${noneAnswered}.` : sentenceOf(estimate, status),
    estimate: named(estimate, own.name, unit),
    expectation,
    further: { [further.key]: named(mean(further).estimate, further.name, "share") },
    ...madeBy(intervals),
    behind: behind(subject, pairs),
  };
}

type Range = readonly [low: number, high: number];

/** Reads a pair's two answers. */
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
