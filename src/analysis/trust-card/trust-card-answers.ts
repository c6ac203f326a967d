import type { Estimate } from "../../stats/estimate.js";
import { correlation } from "../correlation/correlation.js";
import type { IntervalOptions } from "../inference/intervals.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureStatus,
  judged,
} from "./trust-card-figure.js";
import { behind, madeBy, missing, named } from "./trust-card-line.js";
import { meanOverItems } from "./trust-card-mean.js";
import { withOrderBound } from "./trust-card-order.js";
import {
  type CardRow,
  humanRows,
  isAnswered,
  labelledPairs,
  labelRows,
  preferenceOf,
} from "./trust-card-rows.js";

const betterThanCoin = { low: 0.5, text: "> 50 % (a coin)" };

/** Agreement of scores with people, or with the truth where that is known instead. */
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
        id,
        prompt,
        human: (rated.length > 0 ? human : label) ?? null,
        scores: [score === null ? null : sign * score],
      })),
    },
    options,
  );
  const found = metrics[subject.name];
  if (found === undefined) return missing(about, subject, ["score", "human or label"]);
  const { spearman, kendallTauB, n, unscored } = found;
  const pairwiseAccuracy = withOrderBound(
    found.pairwiseAccuracy,
    used.flatMap(({ id, prompt, human, label, score }) => {
      const reference = rated.length > 0 ? human : label;
      return score === null || typeof reference !== "number" ? [] : [{ id, prompt, reference }];
    }),
  );
  const status = judged(pairwiseAccuracy, betterThanCoin, intervals.clusters);
  return {
    ...about,
    status,
    n,
    unscored,
    sentence: agreementSentence(pairwiseAccuracy, status, reference),
    estimate: named(pairwiseAccuracy, `pairs in the order of ${reference}`, "share"),
    expectation: betterThanCoin,
    further: {
      spearman: named(spearman, "Spearman's rho", "number"),
      kendallTauB: named(kendallTauB, "Kendall's tau-b", "number"),
    },
    ...madeBy(intervals),
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
      const chosen = preferenceOf(row);
      const isRight = chosen === 1 / 2 ? 1 / 2 : Number(chosen > 1 / 2 === (row.label === 1));
      return { id: row.id, prompt: row.prompt, value: isRight };
    }),
    { ...options, within: [0, 1] },
  );
  const status = judged(estimate, betterThanCoin, intervals.clusters);
  return {
    id: "agreement",
    title: "agreement",
    of: "pairs",
    status,
    n: whole.length,
    unscored: choices.length - whole.length,
    sentence: agreementSentence(estimate, status, reference),
    estimate: named(estimate, `pairs in the order of ${reference}`, "share"),
    expectation: betterThanCoin,
    further: {},
    ...madeBy(intervals),
    behind: behind(subject, choices),
  };
}

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
