import type { Estimate } from "../../stats/estimate.js";
import type { IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import { type Direction, outcomeOf } from "../pairs/pair-sums.js";
import type { TieOptions } from "../pairs/score-ties.js";
import { type CardFigure, type CardSubject, judged } from "./trust-card-figure.js";
import {
  behind,
  type FigureHead,
  madeBy,
  meanOverItems,
  missing,
  named,
} from "./trust-card-line.js";
import {
  type CardRow,
  degradedRows,
  itemOf,
  judgedPairs,
  paraphraseRows,
  type ScoreCardRow,
  trialRows,
} from "./trust-card-rows.js";
import { scoreSpread } from "./trust-card-spread.js";

/** Figures from repeated scores of one image. */
export function spreadFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure[] {
  return [
    spread(
      { id: "paraphraseSpread", title: "paraphrase spread", of: "images" },
      {
        rows: paraphraseRows(rows),
        needs: ["score", "image", "paraphrase"],
        most: 0.1,
        subject,
        options,
        by: "wording",
      },
    ),
    spread(
      { id: "repeatability", title: "repeatability", of: "images" },
      {
        rows: trialRows(rows),
        needs: ["score", "image", "trial"],
        most: 0.05,
        subject,
        options,
        by: "asking again",
      },
    ),
  ];
}

function spread(
  head: FigureHead,
  {
    rows,
    needs,
    most,
    by,
    subject,
    options,
  }: {
    readonly rows: readonly ScoreCardRow[];
    readonly needs: readonly string[];
    /** The share of variance that is still little. */
    readonly most: number;
    readonly by: string;
    readonly subject: CardSubject;
    readonly options: IntervalOptions;
  },
): CardFigure {
  const found = scoreSpread(
    rows.map((row) => ({ item: itemOf(row), prompt: row.prompt, score: row.score })),
    options,
  );
  if (found.items === 0 && found.unscored === 0) return missing(head, subject, needs);
  const { items, unscored, varianceShare, range, identical, intervals } = found;
  const expectation = { high: most, text: `< ${most * 100} %` };
  const status = judged(varianceShare, expectation, intervals.clusters);
  return {
    ...head,
    status,
    n: items,
    unscored,
    sentence:
      varianceShare.value === null
        ? `Undefined: ${varianceShare.reason}.`
        : identical.value === 1
          ? `Of every image all scores were the same, whatever the ${by === "wording" ? "wording" : "trial"}.`
          : status === "holds"
            ? `Little of what moves scores is ${by}.`
            : status === "fails"
              ? `Much of what moves scores is ${by}.`
              : `Not shown that little of what moves scores is ${by}.`,
    estimate: named(varianceShare, `variance of scores due to ${by}`, "share"),
    expectation,
    further: {
      range: named(range, "highest minus lowest, mean over images", "score"),
      identical: named(identical, "images with one and the same score", "share"),
    },
    ...madeBy(intervals),
    behind: behind(subject, rows),
  };
}

const kinds = [
  { id: "monotonicityContrast", degradation: "contrast", title: "falls with less contrast" },
  { id: "monotonicityMotionBlur", degradation: "motion-blur", title: "falls with motion blur" },
  { id: "monotonicityBrightness", degradation: "brightness", title: "falls with brightness" },
  { id: "monotonicityOcclusion", degradation: "occlusion", title: "falls with occlusion" },
  { id: "monotonicityNoise", degradation: "noise", title: "falls with noise" },
] as const;

/** The degradations that a card has a figure of. */
export const cardDegradations: readonly string[] = kinds.map(({ degradation }) => degradation);

const falls = { high: 0, text: "Kendall's tau-a < 0" };

/** Figures on whether scores of images that show their texts fall as these get worse. */
export function monotonicityFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions & TieOptions,
): CardFigure[] {
  return kinds.map(({ id, degradation, title }) => {
    const head = { id, title, of: "series" };
    const used = degradedRows(rows, degradation);
    const { n, unscored, tau, neverRises, drop, intervals } = monotonicity(
      used.map((row) => ({ item: itemOf(row), ...row })),
      { ...options, direction: subject.direction },
    );
    if (n === 0 && unscored === 0) {
      const hasOthers = rows.some((row) => row.degradation !== undefined);
      return missing(
        head,
        subject,
        hasOthers
          ? [`degradation with ${degradation}`]
          : ["score", "image", "degradation", "level"],
      );
    }
    const status = judged(tau, falls, intervals.clusters);
    return {
      ...head,
      status,
      n,
      unscored,
      sentence:
        tau.value === null
          ? `Undefined: ${tau.reason}.`
          : status === "holds"
            ? "The worse the picture, the worse the score, more often than not."
            : status === "fails"
              ? "The worse the picture, the better the score, more often than not."
              : "Not shown that scores fall as the picture gets worse.",
      estimate: named(tau, "Kendall's tau-a of score with level", "number"),
      expectation: falls,
      further: {
        neverRises: named(neverRises, "series that never rise", "share"),
        drop: named(drop, "score at the first level minus the last", "score"),
      },
      ...madeBy(intervals),
      behind: behind(subject, used),
    };
  });
}

/** Figures of cost: the seconds and dollars that a score takes. */
export function costFigures(
  rows: readonly CardRow[],
  subject: CardSubject,
  options: IntervalOptions,
): CardFigure[] {
  // A judge of pairs is asked about two images, in both orders.
  const isOfPairs = subject.isPairwise ?? judgedPairs(rows).length === rows.length;
  const [one, of, both] = isOfPairs
    ? ["pair", "pairs", ", both orders"]
    : (["image", "images", ""] as const);
  const shared = { rows, subject, options };
  return [
    mean(
      { id: "secondsPerImage", title: `time per ${one}`, of },
      { ...shared, column: "seconds", name: `mean seconds${both}`, unit: "seconds" },
    ),
    mean(
      { id: "costPerImage", title: `cost per ${one}`, of },
      { ...shared, column: "cost", name: `mean US dollars${both}`, unit: "dollars" },
    ),
  ];
}

function mean(
  head: FigureHead,
  {
    rows,
    column,
    name,
    unit,
    subject,
    options,
  }: {
    readonly rows: readonly CardRow[];
    readonly column: "seconds" | "cost";
    readonly name: string;
    readonly unit: "seconds" | "dollars";
    readonly subject: CardSubject;
    readonly options: IntervalOptions;
  },
): CardFigure {
  const used = rows.flatMap((row) => {
    const value = row[column];
    return typeof value === "number" ? [{ ...row, value }] : [];
  });
  if (used.length === 0) return missing(head, subject, [column]);
  const { estimate, intervals } = meanOverItems(used, { ...options, within: [0, Infinity] });
  return {
    ...head,
    status: "measured",
    n: used.length,
    unscored: 0,
    sentence: "As it came about where it was measured: another machine has another.",
    estimate: named(estimate, name, unit),
    further: {},
    ...madeBy(intervals),
    behind: behind(subject, used),
  };
}

/** The score of one picture at one level of a degradation; null = unscored. */
export interface DegradedScore {
  /** The picture with its text, whatever its level. */
  readonly item: string;
  readonly prompt?: string | undefined;
  /** 0 is the picture as it was. */
  readonly level: number;
  readonly score: number | null;
}

/** Measures if scores fall as pictures get worse. A series is one picture at all its levels. */
export interface Monotonicity {
  /** Series with two levels or more, all of them scored. */
  readonly n: number;
  /** Series with a level that was not scored; they are in nothing else. */
  readonly unscored: number;
  /**
   * The mean over series of Kendall's tau-a of goodness with level: pairs of levels in which the worse
   * picture has the better score, minus those in which it has the worse one, over all pairs of levels;
   * equal scores count as neither. -1 where every step makes the score worse, 0 where it does not
   * matter.
   */
  readonly tau: Estimate;
  /** The share of series in which no level has a better score than the level before it, ties apart. */
  readonly neverRises: Estimate;
  /** The mean of the score at the lowest level minus that at the highest, in the metric's unit. */
  readonly drop: Estimate;
  readonly intervals: IntervalMethod;
}

/**
 * Monotonicity of a metric under one degradation of pictures that show their texts. Kendall, "A New
 * Measure of Rank Correlation" (1938). Intervals draw whole prompts.
 *
 * @param options.direction whether more or less of the metric is better; default "higher"
 * @example
 * monotonicity([0.9, 0.7, 0.8].map((score, level) => ({ item: "a", level, score }))).tau.value // -0.333…
 */
export function monotonicity(
  rows: readonly DegradedScore[],
  {
    direction = "higher",
    tieTolerance,
    ...options
  }: IntervalOptions & TieOptions & { readonly direction?: Direction } = {},
): Monotonicity {
  const sign = direction === "higher" ? 1 : -1;
  const all = new Map<string, DegradedScore[]>();
  for (const row of rows) {
    const series = all.get(row.item) ?? [];
    all.set(row.item, series);
    series.push(row);
  }
  const several = [...all].filter(([, series]) => series.length > 1);
  const whole = several.flatMap(([id, series]) => {
    const goodness = [...series]
      .sort((a, b) => a.level - b.level)
      .flatMap(({ score }) => (score === null ? [] : [sign * score]));
    return goodness.length < series.length ? [] : [{ id, prompt: series[0]?.prompt, goodness }];
  });
  const mean = (
    numberOf: (goodness: readonly number[]) => number,
    within: readonly [number, number],
  ) =>
    meanOverItems(
      whole.map(({ id, prompt, goodness }) => ({ id, prompt, value: numberOf(goodness) })),
      { ...options, within },
    );
  const tau = mean(tauWithLevel, [-1, 1]);
  return {
    n: whole.length,
    unscored: several.length - whole.length,
    tau: tau.estimate,
    neverRises: mean((goodness) => neverRises(goodness, tieTolerance), [0, 1]).estimate,
    drop: mean(
      (goodness) => sign * ((goodness[0] ?? 0) - (goodness.at(-1) ?? 0)),
      [-Infinity, Infinity],
    ).estimate,
    intervals: tau.intervals,
  };
}

/** Kendall's tau of at least two numbers with their order of levels. */
function tauWithLevel(goodness: readonly number[]): number {
  let sum = 0;
  let pairs = 0;
  goodness.forEach((later, at) => {
    for (const earlier of goodness.slice(0, at)) {
      sum += Math.sign(later - earlier);
      pairs += 1;
    }
  });
  return sum / pairs;
}

/** Goodness: more is better. What rises by rounding alone is a tie. */
const neverRises = (goodness: readonly number[], tieTolerance: number | undefined) =>
  goodness.every((later, at) => {
    const rule = { direction: "higher", tieTolerance } as const;
    return outcomeOf(goodness[at - 1] ?? later, later, rule) !== "fail";
  })
    ? 1
    : 0;
