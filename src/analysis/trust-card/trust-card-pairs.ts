import type { Estimate } from "../../stats/estimate.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { whichSide } from "../inference/one-sided-bound.js";
import { outcomeOf } from "../pairs/pair-sums.js";
import {
  type ControlledSummary,
  comparisons,
  type EffectConclusion,
  type EffectRow,
  prototypicalityEffect,
} from "../pairs/prototypicality-effect.js";
import type { TieOptions } from "../pairs/score-ties.js";
import { swap } from "../pairs/swap.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureStatus,
  judged,
} from "./trust-card-figure.js";
import { behind, boundsOf, madeBy, meanOverItems, missing, named } from "./trust-card-line.js";
import { type CardRow, contrastiveRows, type PairCardRow, swapRows } from "./trust-card-rows.js";

/** Figures concluded from pairs: of images for one text, of texts for one image. */
export function pairFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions & TieOptions,
): CardFigure[] {
  const directed = { ...options, direction: subject.direction };
  const pairs = contrastiveRows(rows);
  const effect = prototypicalityEffect(effectRows(pairs), { ...directed, isBrief: true });
  return [
    prototypicality(pairs, subject, effect),
    reversedConflict(pairs, subject, effect),
    confusionFigure(swapRows(rows), subject, directed),
  ];
}

const smallEffect = { high: 0.05, text: "< 5 points more failures than controls" };
const seldomFails = { high: 0.5, text: "< 50 % (a coin)" };

function prototypicality(
  rows: readonly PairCardRow[],
  subject: CardSubject,
  { metrics, intervals }: EffectConclusion,
): CardFigure {
  const about = {
    id: "prototypicality",
    title: "prefers typical wrong images",
    of: "triplets",
  } as const;
  const triplets = rows.filter(({ comparison }) => (comparison ?? "contrastive") === "contrastive");
  if (triplets.length === 0) {
    return missing(about, subject, ["correct", "adversarial", "comparison"]);
  }
  const found = metrics[""];
  if (found === undefined) return missing(about, subject, ["correct", "adversarial"]);
  const { overall, macro } = found;
  const { effect, controls, triplets: failures } = overall;
  const domains = new Set(effectRows(rows).map(({ domain }) => domain));
  const pooled = domains.size > 1 ? ", domains pooled" : "";
  const further = {
    ...(pooled === "" ? {} : equalWeights(macro)),
    failureRate: named(failures.failureRate, "failure rate of triplets", "share"),
    controlFailureRate: named(controls.failureRate, "failure rate of controls", "share"),
  };
  const shared = {
    ...about,
    n: failures.n,
    unscored: failures.unscored,
    further,
    ...madeBy(intervals),
    behind: behind(subject, rows),
  };
  if (controls.n === 0) {
    const rate = failures.failureRate;
    const status = judged(rate, seldomFails, intervals.clusters);
    return {
      ...shared,
      status,
      sentence:
        "Prefers a wrong but typical image that often; without controls nobody can say whether " +
        "typicality is why.",
      estimate: named(rate, `failure rate of triplets, no control${pooled}`, "share"),
      ...boundsOf(failures),
      expectation: seldomFails,
      needs: ["comparison with control-atypical or control-typical"],
    };
  }
  const excess = "more often where the wrong image is the typical one than in controls";
  return {
    ...shared,
    status: judged(effect, smallEffect, intervals.clusters),
    sentence:
      whichSide(effect) === "above"
        ? `Fails ${excess}.`
        : whichSide(effect) === "below"
          ? "Fails less often where the wrong image is the typical one than in controls."
          : `Not shown to fail ${excess}.`,
    estimate: named(effect, `failure rate, triplets minus controls${pooled}`, "points"),
    expectation: smallEffect,
  };
}

const comparisonOf = ({ comparison = "contrastive" }: CardRow) =>
  comparisons.find((one) => one === comparison);

const effectRows = (rows: readonly PairCardRow[]): EffectRow[] =>
  rows.flatMap((row): EffectRow[] => {
    const comparison = comparisonOf(row);
    const { id, prompt = id, domain = "", knob = "", correct, adversarial } = row;
    return comparison === undefined
      ? []
      : [{ id, prompt, domain, knob, correct, adversarial, comparison, metric: "" }];
  });

/** The opposite prejudice: does it fail where the typical image is the right one? */
function reversedConflict(
  rows: readonly PairCardRow[],
  subject: CardSubject,
  { metrics, intervals }: EffectConclusion,
): CardFigure {
  const about = {
    id: "reversedConflict",
    title: "prefers atypical wrong images",
    of: "reversed pairs",
  } as const;
  const own = rows.filter((row) => comparisonOf(row) === "reversed");
  const found = metrics[""]?.overall;
  if (own.length === 0 || found === undefined) {
    return missing(about, subject, ["correct", "adversarial", "comparison"]);
  }
  const { reversed, controls, reversedEffect } = found;
  const rate = named(reversed.failureRate, "failure rate of reversed conflicts", "share");
  const isControlled = controls.n > 0;
  const expectation = isControlled ? smallEffect : seldomFails;
  const judgedBy = isControlled ? reversedEffect : reversed.failureRate;
  return {
    ...about,
    status: judged(judgedBy, expectation, intervals.clusters),
    sentence:
      isControlled && whichSide(reversedEffect) === "above"
        ? "Fails more often where the right image is the typical one than in controls: it prefers what is atypical."
        : "Sets a typical and right image against an atypical and wrong one.",
    n: reversed.n,
    unscored: reversed.unscored,
    estimate: isControlled
      ? named(reversedEffect, "failure rate, reversed minus controls", "points")
      : rate,
    ...(isControlled ? {} : boundsOf(reversed)),
    expectation,
    further: isControlled ? { failureRate: rate } : {},
    ...madeBy(intervals),
    behind: behind(subject, own),
  };
}

/** The same with equal weight for each domain. */
const equalWeights = ({ triplets, effect }: ControlledSummary) => ({
  macroFailureRate: named(
    triplets.failureRate,
    "failure rate of triplets, mean of domains",
    "share",
  ),
  macroEffect: named(effect, "triplets minus controls, mean of domains", "points"),
});

/** Far below a coin's 50 %: what is asked of a metric that looks at the whole image. */
const seldomConfused = { high: 0.15, text: "< 15 %" };

const counted = "15 % of swaps, a tie counted as half (a coin's share)";

/**
 * Whether it prefers the text with attributes swapped. A tie is no failure (L-VQAScore, section 3.2),
 * so that a metric which says the same of everything never fails; therefore what has to lie below the
 * bar are failures and half of the ties, as a coin would decide them.
 */
function confusionFigure(
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
