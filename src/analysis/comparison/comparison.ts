import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { cohensDzOf } from "../../stats/paired-t-test.js";
import { decidedByFew } from "../inference/few-clusters.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { weightedText } from "../inference/row-draws.js";
import type { Direction } from "../pairs/pair-sums.js";
import { defaultTieTolerance, type TieOptions, tieText } from "../pairs/score-ties.js";
import type { ComparedPair } from "./compared-pair.js";
import { type HumanCorrected, humanCorrected } from "./comparison-labels.js";
import {
  type ComparisonColumns,
  type ComparisonRow,
  cellsOf,
  type Duels,
  duels,
  inColumns,
  meanOf,
  type Samples,
  samplesOf,
  weightOf,
} from "./comparison-samples.js";
import {
  type Adjustment,
  adjusted,
  type ComparisonTest,
  comparisonPValue,
  promptsNeeded,
} from "./comparison-test.js";
import { comparisonWarnings } from "./comparison-warnings.js";
import type { LabelSampling } from "./drawn-labels.js";
import { type PromptScores, promptScores } from "./prompt-scores.js";
import type { ScoreMeasure } from "./score-measure.js";

export interface ComparedModel {
  /** Rows with a score. */
  readonly n: number;
  readonly unscored: number;
  /** Over all scored rows; prompts are drawn as a whole. */
  readonly mean: Estimate;
  /** The mean had all unscored rows the lowest or the highest score there is; null without rows. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}

export interface ComparisonConclusion {
  readonly metric: string;
  readonly direction: Direction;
  readonly models: Readonly<Record<string, ComparedModel>>;
  /** All pairs, a before b in the order of `models`. */
  readonly pairs: readonly ComparedPair[];
  /** Results corrected by labels, if there are labels. */
  readonly humanCorrected?: HumanCorrected;
  readonly n: number;
  readonly unscored: number;
  readonly test: ComparisonTest;
  readonly adjust: Adjustment;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly permutations: number;
  readonly seed: number;
  /** How rows were weighted, where `label plan` drew them. */
  readonly weighted?: string;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
  /** The measure of the scores, where it is known. */
  readonly measure: ScoreMeasure;
  /** Data that a later comparison needs to compare itself with this one. */
  readonly scores: PromptScores;
}

/** A conclusion without the scores, which are as long as the table. */
export type ComparisonFound = Omit<ComparisonConclusion, "scores">;

export interface ComparisonOptions extends IntervalOptions, TieOptions {
  /** The name of the scores; default "score". */
  readonly metric?: string | undefined;
  /** Direction of the metric; default higher. */
  readonly direction?: Direction | undefined;
  /** Default: sign flips. */
  readonly test?: ComparisonTest | undefined;
  /** Default: Holm. */
  readonly adjust?: Adjustment | undefined;
  /** Random sign flips above 20 prompts, up to 10,000 prompts; default 10,000. */
  readonly permutations?: number | undefined;
  /** The ends of the metric's range, for bounds; default: the lowest and highest score. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** How the rows that people labelled were picked; default: at random. */
  readonly labels?: LabelSampling | undefined;
  /** The measure of the scores, where it is known. */
  readonly measure?: ScoreMeasure | undefined;
}

/**
 * Which of several text-to-image models is better by one metric: the mean of each, and of each pair
 * the difference and the win rate on the prompts that both have scores of, with a paired test
 * adjusted for the number of pairs; where people labelled some rows, the same as people would see it
 * (`humanCorrected`). Intervals: a percentile bootstrap of whole prompts, the same draws for all. The
 * order of rows changes no number.
 *
 * @throws InputError for Wilcoxon's test of rows with draw weights.
 * @example
 * const row = (model: string, prompt: string, score: number) => ({ model, prompt, score });
 * comparison([row("a", "1", 0.5), row("b", "1", 0.7), row("a", "2", 0.2), row("b", "2", 0.3)])
 *   .pairs[0]?.winRate.value // 0: a loses both
 */
export function comparison(
  rows: readonly ComparisonRow[] | ComparisonColumns,
  options: ComparisonOptions = {},
): ComparisonConclusion {
  const columns = inColumns(rows);
  const samples = samplesOf(columns);
  return { ...comparisonOf(columns, samples, options), scores: promptScores(samples) };
}

/** The same of rows by column that are sorted. */
export function comparisonOf(
  columns: ComparisonColumns,
  samples: Samples,
  {
    metric = "score",
    direction = "higher",
    test = "sign-flip",
    adjust = "holm",
    permutations = 10_000,
    range,
    labels = "random",
    measure = {},
    tieTolerance = defaultTieTolerance,
    ...options
  }: ComparisonOptions,
): ComparisonFound {
  const rule = { sign: direction === "higher" ? 1 : -1, tieTolerance } as const;
  const { models, prompts } = samples;
  if (test === "wilcoxon" && samples.weights !== undefined) {
    throw new InputError("Expected no --test wilcoxon for rows with draw weights but received it", {
      hint: "Signed ranks have no weights: --test sign-flip, or --test t",
    });
  }
  const couples = models.flatMap((_, a) =>
    models.slice(a + 1).map((_, at) => [a, a + 1 + at] as const),
  );
  const seed = options.seed ?? 0;
  const intervals = intervalMethod(options, {
    clusters: prompts.length,
    clusteredBy: "prompt",
    pairs: couples.length,
  });
  const means = estimatesOf(samples, [], intervals);
  const found: Omit<ComparedPair, "pAdjusted">[] = [];
  const pairsAtOnce = Math.max(
    1,
    Math.min(mostPairsAtOnce, Math.floor(mostDuels / prompts.length)),
  );
  // A part of the pairs at a time: of 400 models there are 79,800, each with all its resamples.
  for (let from = 0; from < couples.length; from += pairsAtOnce) {
    const some = couples.slice(from, from + pairsAtOnce);
    const fought = some.map((couple) => duels(samples, couple, rule));
    const estimates = estimatesOf(samples, fought, intervals);
    for (const [at, its] of fought.entries()) {
      const couple = some[at] ?? [0, 0];
      const [a = "", b = ""] = couple.map((model) => models[model]);
      const n = its.difference.length;
      const differences = weighted(its.difference, its.weight);
      const cohensDz = cohensDzOf(its.difference, its.weight);
      const both = couple.reduce((sum, model) => sum + sizeOf(samples, model), 0);
      const random = randomFrom(seed, "sign flips", a, b);
      found.push({
        a,
        b,
        n,
        leftOut: both - 2 * n,
        difference: estimates[2 * at] ?? undefinedEstimate(noPrompt),
        winRate: estimates[2 * at + 1] ?? undefinedEstimate(noPrompt),
        ties: n === 0 ? null : meanOf(weighted(its.tie, its.weight)),
        ...comparisonPValue(test, differences, { permutations, random }),
        cohensDz,
        promptsNeeded: promptsNeeded(cohensDz, adjust === "none" ? 1 : couples.length),
      });
    }
  }
  const pAdjusted = adjusted(
    found.map(({ p }) => p),
    adjust,
  );
  const pairs = found.map(
    ({ cohensDz, promptsNeeded: needed, ...pair }, at): ComparedPair => ({
      ...pair,
      pAdjusted: pAdjusted[at] ?? null,
      cohensDz,
      promptsNeeded: needed,
    }),
  );
  const ends = range ?? samples.ends;
  const compared = means.map((mean, model) => comparedModel(samples, { model, mean, ends }));
  const n = samples.from.at(-1) ?? 0;
  const isWeighted = samples.weights !== undefined;
  const corrected = humanCorrected(samples, { pairs: couples, sampling: labels, ...rule });
  return {
    metric,
    direction,
    models: Object.fromEntries(compared.map((one, at) => [models[at] ?? "", one])),
    pairs,
    ...(corrected === undefined ? {} : { humanCorrected: corrected }),
    n,
    unscored: samples.rows.reduce((sum, count) => sum + count, 0) - n,
    test,
    adjust,
    permutations,
    seed,
    tieRule: `a tie is half a win; ${tieText(tieTolerance)}`,
    tieTolerance,
    ...(isWeighted && { weighted: weightedText }),
    warnings: [
      ...comparisonWarnings(columns, {
        models: compared.map((one, at) => ({ ...one, model: models[at] ?? "" })),
        pairs,
        intervals,
      }),
      ...decidedByFew(
        [
          ...models.map((model, at) => ({
            name: `the mean of ${model}`,
            estimate: means[at] ?? undefinedEstimate(noPrompt),
          })),
          ...pairs.map(({ a, b, difference: estimate }) => ({
            name: `the difference of ${a} and ${b}`,
            estimate,
          })),
        ],
        intervals,
      ),
    ],
    intervals,
    measure,
  };
}

/** Numbers times their weights, which are scaled to a mean of 1. */
function weighted(values: Float64Array, weights: Float64Array | undefined): Float64Array {
  if (weights === undefined) return values;
  const mean = meanOf(weights);
  return values.map((value, at) => (value * (weights[at] ?? 0)) / mean);
}

const noScore = "nothing was scored";
const noPrompt = "no prompt has scores of both";

const mostPairsAtOnce = 1000;
/** Differences that are held at once, some 60 bytes each. */
const mostDuels = 1e6;

const sizeOf = (samples: Samples, model: number) => {
  const { from, to } = cellsOf(samples, model);
  return to - from;
};

/**
 * The models' means; or, where there are duels, of each the difference and the win rate, all from the same
 * draws of prompts.
 */
function estimatesOf(
  samples: Samples,
  fought: readonly Duels[],
  intervals: IntervalMethod,
): Estimate[] {
  const isOfModels = fought.length === 0;
  const groups = isOfModels ? samples.models.length : fought.length;
  const lines = isOfModels
    ? samples.prompt.length
    : fought.reduce((sum, { prompt }) => sum + prompt.length, 0);
  const cluster = new Int32Array(lines);
  const group = new Int32Array(lines);
  const columns = [0, 1, 2].map(() => new Float64Array(lines));
  const [counts = cluster, sums = counts, wins = counts] = columns;
  let line = 0;
  for (let at = 0; at < groups; at++) {
    const its = fought[at];
    const { from, to } =
      its === undefined ? cellsOf(samples, at) : { from: 0, to: its.prompt.length };
    for (let place = from; place < to; place++, line++) {
      group[line] = at;
      cluster[line] = (its ?? samples).prompt[place] ?? 0;
      const weight = its === undefined ? weightOf(samples, place) : (its.weight?.[place] ?? 1);
      const scores = (samples.from[place + 1] ?? 0) - (samples.from[place] ?? 0);
      counts[line] = weight * (its === undefined ? scores : 1);
      sums[line] = weight * ((its?.difference ?? samples.sums)[place] ?? 0);
      wins[line] = weight * (its?.win[place] ?? 0);
    }
  }
  const clusters = samples.prompts.length;
  const table = clusterSums({ cluster, group, columns, clusters, groups });
  const term = (at: number, numerator: number, whenEmpty: string) => ({
    weight: 1,
    groups: [at],
    numerator,
    denominator: 0,
    whenEmpty,
  });
  const estimands = isOfModels
    ? samples.models.map((_, at) => ({ terms: [term(at, 1, noScore)] }))
    : fought.flatMap((_, at) => [
        { terms: [term(at, 1, noPrompt)] },
        { terms: [term(at, 2, noPrompt)], within: [0, 1] as const },
      ]);
  return estimate(table, estimands, intervals).map((found, at) =>
    !isOfModels && at % 2 === 1
      ? withOneSidedBound(found, estimands[at]?.terms ?? [], table)
      : found,
  );
}

function comparedModel(
  samples: Samples,
  {
    model,
    mean,
    ends,
  }: {
    readonly model: number;
    readonly mean: Estimate;
    readonly ends: ComparisonOptions["range"];
  },
): ComparedModel {
  const { from, to } = cellsOf(samples, model);
  const n = (samples.from[to] ?? 0) - (samples.from[from] ?? 0);
  const rows = samples.rows[model] ?? 0;
  const unscored = rows - n;
  // From the mean, so that rounding never puts a bound on its wrong side.
  const had = (score: number) =>
    mean.value === null ? score : mean.value + (unscored / rows) * (score - mean.value);
  return {
    n,
    unscored,
    mean,
    bounds:
      ends === undefined ? { low: null, high: null } : { low: had(ends[0]), high: had(ends[1]) },
  };
}
