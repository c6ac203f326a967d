import { listText } from "../../core/list-text.js";
import type { ClusterUnit, IntervalOptions } from "../inference/intervals.js";
import { noSpread } from "../inference/intervals.js";
import { type TieOptions, tieText } from "../pairs/score-ties.js";
import { agreementFigure } from "./trust-card-answers.js";
import { calibrationFigures } from "./trust-card-calibration.js";
import {
  type CardFigure,
  type CardSubject,
  type FigureId,
  figureIds,
  judgedEstimate,
} from "./trust-card-figure.js";
import { costFigures, monotonicityFigures, spreadFigures } from "./trust-card-images.js";
import { judgedFigures } from "./trust-card-judged.js";
import { pairFigures } from "./trust-card-pairs.js";
import { type CardRow, isScored } from "./trust-card-rows.js";

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
  return {
    subject,
    n: rows.length - unscored,
    unscored,
    verdict: verdictOf(subject.name, figures),
    // One for each, in their order.
    figures: Object.fromEntries(figures.map((figure) => [figure.id, figure])) as Record<
      FigureId,
      CardFigure
    >,
    warnings: [
      ...(subject.caveat === undefined ? [] : [subject.caveat]),
      ...warningsOf(figures.filter(isOfItsOwn)),
    ],
    method: methodOf(figures, tieTolerance),
  };
}

function methodOf(
  figures: readonly CardFigure[],
  tieTolerance: TieOptions["tieTolerance"],
): string {
  const drawn = drawnText(figures);
  return [
    `Intervals: 95 %, each for itself and not adjusted for their number${drawn === "" ? "" : `; ${drawn}`}.`,
    `In pairs, ${tieText(tieTolerance)}. A tied swap is no failure of attribute confusion, but half of`,
    "one, a coin's share, where that is compared with what is expected. What is expected is ours,",
    "this project's choice, and no paper's.",
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
    const { method, clusteredBy, resamples, seed } = intervalMethod;
    const units = drawnUnits[clusteredBy] ?? `${clusteredBy}s`;
    const text =
      method === "delta"
        ? `the delta method over ${units}`
        : `${resamples?.toLocaleString("en-US")} resamples of ${units}, seed ${seed}`;
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
            `${title}: ${unscored} of ${n + unscored} unscored, in no figure` +
              (bounds === undefined
                ? ""
                : `; had all of them passed or failed: ${percent(bounds.low)} or ${percent(bounds.high)} %`),
          ]),
      ...(estimate !== undefined && estimate.reason === noSpread && estimate.oneSided === undefined
        ? [`${title}: ${noSpread}`]
        : []),
    ];
  });
}

const percent = (share: number) => (100 * share).toFixed(1);
