import { largestOf } from "../../core/arrays.js";
import { countText, listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { correlation } from "../correlation/correlation.js";
import { type ClusterUnit, type IntervalOptions, noSpread } from "../inference/intervals.js";
import { withBoundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { judgeCheck } from "../judge-check/judge-check.js";
import type { JudgeCheck } from "../judge-check/judge-conclusion.js";
import { type TieOptions, tieText } from "../pairs/score-ties.js";
import { calibrationFigures } from "./trust-card-calibration.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureId,
  type FigureStatus,
  figureIds,
  judged,
  judgedEstimate,
} from "./trust-card-figure.js";
import { costFigures, monotonicityFigures, spreadFigures } from "./trust-card-images.js";
import { judgedFigures, judgedVotes } from "./trust-card-judged.js";
import { behind, madeBy, meanOverItems, missing, named } from "./trust-card-line.js";
import { pairFigures } from "./trust-card-pairs.js";
import {
  type CardRow,
  humanRows,
  isAnswered,
  isScored,
  labelledPairs,
  labelRows,
  preferenceOf,
} from "./trust-card-rows.js";

/** Subject of a card, how its intervals are made and which scores tie. */
export interface TrustCardOptions extends CardSubject, IntervalOptions, TieOptions {}

export interface TrustCard {
  readonly subject: CardSubject;
  /** Rows, and those of them without the score that they are about. */
  readonly n: number;
  readonly unscored: number;
  /** How many expectations each way, and what was not measured. */
  readonly verdict: string;
  readonly figures: Readonly<Record<FigureId, CardFigure>>;
  readonly warnings: readonly string[];
  /** What else is known of it: what published answers say, what it sees and reads. */
  readonly notes: readonly string[];
  /** Of a judge of pairs that answered. */
  readonly judgeCheck?: JudgeCheck;
  /** How intervals were made, and which scores tie. */
  readonly method: string;
}

/**
 * A metric's trust card: what is known of whether it can be believed, from a table of its scores. Each
 * figure is made of the rows that have its columns and is compared with an expectation that stands
 * beside it; one without rows is listed with the columns that it needs. Nothing is filled in.
 *
 * @example trustCard(rows, { name: "vqa-score", direction: "higher", source: "scores.csv" })
 *   .figures.repeatability.status // "holds"
 */
export function trustCard(
  rows: readonly CardRow[],
  { tieTolerance, interval, resamples, seed, ...subject }: TrustCardOptions,
): TrustCard {
  const options = { interval, resamples, seed, tieTolerance };
  const found = [
    ...pairFigures(rows, subject, options),
    agreementFigure(rows, subject, options),
    ...calibrationFigures(rows, subject, options),
    ...spreadFigures(rows, subject, options),
    ...monotonicityFigures(rows, subject, options),
    ...judgedFigures(rows, subject, options),
    ...costFigures(rows, subject, options),
  ];
  const figures = figureIds.flatMap((id) => found.filter((figure) => figure.id === id));
  const unscored = rows.filter((row) => !isScored(row)).length;
  const votes = judgedVotes(rows);
  return {
    subject,
    n: rows.length - unscored,
    unscored,
    verdict: verdictOf(subject.name, figures),
    // `figures` holds every id of FigureId once.
    figures: Object.fromEntries(figures.map((figure) => [figure.id, figure])) as Record<
      FigureId,
      CardFigure
    >,
    warnings: [
      ...(subject.caveat === undefined ? [] : [subject.caveat]),
      ...warningsOf(figures.filter(isOfItsOwn)),
    ],
    notes: [],
    ...(votes.some(({ vote }) => vote !== null)
      ? { judgeCheck: judgeCheck(votes, { interval, resamples, seed }) }
      : {}),
    method: methodOf(figures, tieTolerance),
  };
}

function methodOf(
  figures: readonly CardFigure[],
  tieTolerance: TieOptions["tieTolerance"],
): string {
  const drawn = drawnText(figures);
  return [
    `Intervals: 95 %, not adjusted for their number${drawn === "" ? "" : `; ${drawn}`}.`,
    `In pairs, ${tieText(tieTolerance)}. For attribute confusion, a tie counts as half a failure.`,
    "This project chose what is expected; no paper did.",
  ].join(" ");
}

const drawnUnits: { readonly [Unit in ClusterUnit]?: string } = {
  prompt: "whole prompts",
  row: "single rows, which name no prompt",
};

/** The method of most figures, and the figures that another was used for. */
function drawnText(figures: readonly CardFigure[]): string {
  const groups = new Map<string, string[]>();
  for (const { title, estimate, intervalMethod } of figures) {
    if (estimate === undefined || intervalMethod === undefined) continue;
    const { clusteredBy, resamples, seed } = intervalMethod;
    const units = drawnUnits[clusteredBy] ?? `${clusteredBy}s`;
    const text =
      resamples === undefined
        ? `the delta method over ${units}`
        : `${countText(resamples)} resamples of ${units}, seed ${seed}`;
    groups.set(text, [...(groups.get(text) ?? []), title]);
  }
  const [most, ...others] = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return most === undefined
    ? ""
    : [most[0], ...others.map(([text, titles]) => `of ${listText(titles)} ${text}`)].join("; ");
}

function verdictOf(name: string, figures: readonly CardFigure[]): string {
  const titles = (...statuses: readonly CardFigure["status"][]) =>
    figures.filter(({ status }) => statuses.includes(status)).map(({ title }) => title);
  const passes = titles("holds").length;
  const fails = titles("fails");
  const undecided = titles("undecided").length;
  const judged = passes + fails.length + undecided;
  const missing = titles("not-measured").length;
  if (judged === 0) {
    return `No verdict on ${name}: no figure with an expectation was measured.`;
  }
  return [
    `Of ${judged} ${judged === 1 ? "expectation" : "expectations"} ${name} passes ${passes}, ` +
      `fails ${fails.length}${fails.length === 0 ? "" : ` (${listText(fails)})`} and leaves ${undecided} undecided.`,
    ...(missing === 0
      ? []
      : [`${missing} ${missing === 1 ? "figure was" : "figures were"} not measured.`]),
  ].join(" ");
}

/** Overconfidence is of the same answers as the calibration error. */
const isOfItsOwn = ({ id }: CardFigure) => id !== "overconfidence";

function warningsOf(figures: readonly CardFigure[]): string[] {
  return figures.flatMap((figure) => {
    const { title, unscored, n, bounds } = figure;
    const estimate = judgedEstimate(figure);
    return [
      ...(unscored === 0
        ? []
        : [
            `${title}: ${unscored} of ${n + unscored} unscored and excluded` +
              (bounds === undefined
                ? ""
                : `; if all were scored: ${percent(bounds.low)} to ${percent(bounds.high)} %`),
          ]),
      ...(estimate !== undefined && estimate.reason === noSpread && estimate.oneSided === undefined
        ? [`${title}: ${noSpread}`]
        : []),
    ];
  });
}

const percent = (share: number) => (100 * share).toFixed(1);

const betterThanCoin = { low: 0.5, text: "> 50 % (a coin)" };

/** Agreement of scores with people, or with the truth where that is known instead. */
function agreementFigure(
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

/** An image that has a score and a rating. */
interface RatedRow {
  readonly id: string;
  readonly prompt?: string | undefined;
  /** Reference value, by people or the truth. */
  readonly reference: number;
}

/**
 * A share of pairs of images in their order that is 0 or 1, with the one-sided 95 % bound that its
 * interval can't give: all resamples then agree. Pairs share images, so that not each is a draw of its
 * own; as many are as disjoint pairs of prompts can be made whose ratings differ. See `shareAfterNone`.
 */
function withOrderBound(share: Estimate, rows: readonly RatedRow[]): Estimate {
  return withBoundAfter(share, () => disjointPairs(rows));
}

/** The most pairs of prompts that share none and have ratings that differ. */
function disjointPairs(rows: readonly RatedRow[]): number {
  const { cluster, count } = promptClusters(rows);
  const ratings = Array.from({ length: count }, () => new Set<number>());
  rows.forEach(({ reference }, at) => {
    ratings[cluster[at] ?? 0]?.add(reference);
  });
  // A prompt with several ratings differs from every other; one with a single rating from all but its like.
  const alike = new Map<number, number>();
  for (const own of ratings) {
    const [only] = own;
    if (own.size === 1 && only !== undefined) alike.set(only, (alike.get(only) ?? 0) + 1);
  }
  return Math.min(Math.floor(count / 2), count - Math.max(0, largestOf(alike.values())));
}
