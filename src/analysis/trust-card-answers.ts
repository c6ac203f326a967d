import type { Estimate } from "../stats/estimate.js";
import { calibration } from "./calibration.js";
import { correlation } from "./correlation.js";
import type { IntervalOptions } from "./intervals.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureStatus,
  judged,
} from "./trust-card-figure.js";
import { behind, missing, named } from "./trust-card-line.js";
import { meanOverItems } from "./trust-card-mean.js";
import {
  type AnsweredCardRow,
  type CardRow,
  humanRows,
  isAnswered,
  labelledPairs,
  labelRows,
  probabilityRows,
} from "./trust-card-rows.js";

const betterThanCoin = { low: 0.5, text: "> 50 % (a coin)" };

/** Whether scores follow people, or the truth where that is known instead. */
export function agreementFigure(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  const choices = labelledPairs(rows);
  if (choices.length > 0) return agreementOfChoices(choices, subject, options);
  const about = { id: "agreement", title: "agreement", of: "images" } as const;
  const rated = humanRows(rows);
  const labelled = labelRows(rows);
  const used = rated.length > 0 ? rated : labelled;
  if (used.length === 0) return missing(about, subject, ["score", "human or label"]);
  const reference =
    rated.length > 0 ? (subject.reference ?? "people") : (subject.reference ?? "the labels");
  const sign = subject.direction === "higher" ? 1 : -1;
  const { metrics, intervals } = correlation(
    {
      human: reference,
      metrics: [subject.name],
      rows: used.map(({ id, prompt, human, label, score }) => ({
        ...{ id, prompt },
        human: (rated.length > 0 ? human : label) ?? null,
        scores: [score === null ? null : sign * score],
      })),
    },
    options,
  );
  const found = metrics[subject.name];
  if (found === undefined) return missing(about, subject, ["score", "human or label"]);
  const { pairwiseAccuracy, spearman, kendallTauB, n, unscored } = found;
  const status = judged(pairwiseAccuracy, betterThanCoin, intervals.clusters);
  return {
    ...about,
    ...{ status, n, unscored },
    sentence: agreementSentence(pairwiseAccuracy, status, reference),
    estimate: named(pairwiseAccuracy, `pairs in the order of ${reference}`, "share"),
    expectation: betterThanCoin,
    further: {
      spearman: named(spearman, "Spearman's rho", "number"),
      kendallTauB: named(kendallTauB, "Kendall's tau-b", "number"),
    },
    intervals: intervals.text,
    behind: behind(subject, used),
  };
}

/** The same of a judge that chooses between two images; both orders' mean decides, a tie is half right. */
function agreementOfChoices(
  choices: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  const reference = subject.reference ?? "the labels";
  const whole = choices.filter(isAnswered);
  const { estimate, intervals } = meanOverItems(
    whole.map((row) => {
      const chosen = preference(row);
      const isRight = chosen === 1 / 2 ? 1 / 2 : Number(chosen > 1 / 2 === (row.label === 1));
      return { id: row.id, prompt: row.prompt, value: isRight };
    }),
    { ...options, within: [0, 1] },
  );
  const status = judged(estimate, betterThanCoin, intervals.clusters);
  return {
    ...{ id: "agreement", title: "agreement", of: "pairs", status },
    ...{ n: whole.length, unscored: choices.length - whole.length },
    sentence: agreementSentence(estimate, status, reference),
    estimate: named(estimate, `pairs in the order of ${reference}`, "share"),
    expectation: betterThanCoin,
    further: {},
    intervals: intervals.text,
    behind: behind(subject, choices),
  };
}

/** P(the image that stands first in `first` is better), the mean of both orders. */
const preference = ({ first, turned }: AnsweredCardRow) => (first + 1 - turned) / 2;

function agreementSentence(
  { value, reason = "nothing was answered" }: Estimate,
  status: FigureStatus,
  reference: string,
): string {
  if (value === null) return `Undefined: ${reason}.`;
  if (status === "holds") {
    return `Puts two images in the order of ${reference} more often than a coin.`;
  }
  return status === "fails"
    ? `Puts two images in the order of ${reference} less often than a coin.`
    : `Not shown to follow ${reference} more often than a coin.`;
}

const wellCalibrated = { low: -0.05, high: 0.05, text: "−5 to 5 points" };

/** Whether its probabilities can be believed. */
export function calibrationFigure(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure {
  const about = { id: "calibration", title: "calibration", of: "answers" } as const;
  if (subject.isProbability === false) {
    return {
      ...missing(about, subject, []),
      status: "not-applicable",
      sentence: "Its scores are no probabilities.",
    };
  }
  const choices = labelledPairs(rows).map((row) => ({
    ...row,
    probability: isAnswered(row) ? preference(row) : null,
  }));
  const used = [...probabilityRows(rows), ...choices];
  if (used.length === 0) return missing(about, subject, ["score", "label", "probability"]);
  const { interval, ...others } = options;
  const { n, unscored, intervalsOf, intervals } = calibration(
    used.map(({ id, prompt, label = null, probability = null }) => ({
      ...{ id, prompt, label, probability },
    })),
    { ...others, interval: interval === "bca" ? "bca" : "percentile" },
  );
  const over = meanOverItems(
    used.flatMap(({ id, prompt, label, probability }) => {
      if (typeof label !== "number" || typeof probability !== "number") return [];
      const said = probability >= 0.5 ? 1 : 0;
      const value = Math.max(probability, 1 - probability) - (said === label ? 1 : 0);
      return [{ id, prompt, value }];
    }),
    { ...options, within: [-1, 1] },
  );
  const { value, low, high } = over.estimate;
  const status = judged(over.estimate, wellCalibrated, over.intervals.clusters);
  return {
    ...about,
    ...{ status, n, unscored },
    sentence:
      value === null
        ? `Undefined: ${over.estimate.reason ?? "no answer has a label and a probability"}.`
        : status === "holds"
          ? "As sure of itself as it is right, to within 5 points."
          : low !== null && low > 0
            ? "Surer of itself than it is right."
            : high !== null && high < 0
              ? "Less sure of itself than it is right."
              : "Shown neither surer nor less sure of itself than it is right.",
    estimate: named(over.estimate, "mean confidence minus accuracy", "points"),
    expectation: wellCalibrated,
    further: {
      ece: named(intervalsOf.ece, "expected calibration error, ten bins", "share"),
      brier: named(intervalsOf.brier, "Brier score", "number"),
      accuracy: named(intervalsOf.accuracy, "accuracy at 0.5", "share"),
    },
    intervals: `${over.intervals.text}; further figures: ${intervals.text}`,
    behind: behind(subject, used),
  };
}
