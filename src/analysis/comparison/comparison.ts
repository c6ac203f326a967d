import { randomFrom } from "../../core/random.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { decidedByFew } from "../inference/few-clusters.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { inOrder } from "../inference/sorted-names.js";
import type { Direction } from "../pairs/pair-sums.js";
import { defaultTieTolerance, type TieOptions, tieText } from "../pairs/score-ties.js";
import type { ComparedPair } from "./compared-pair.js";
import { type HumanCorrected, humanCorrected, type LabelSampling } from "./comparison-labels.js";
import {
  type ComparisonRow,
  type Duel,
  duels,
  type SamplesOf,
  samplesOf,
} from "./comparison-samples.js";
import {
  type Adjustment,
  adjusted,
  type ComparisonTest,
  comparisonPValue,
  effectSize,
  promptsNeeded,
} from "./comparison-test.js";
import { comparisonWarnings } from "./comparison-warnings.js";
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
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
  /** The measure of the scores, where it is known. */
  readonly measure: ScoreMeasure;
  /** Data that a later comparison needs to compare itself with this one. */
  readonly scores: PromptScores;
}

export interface ComparisonOptions extends IntervalOptions, TieOptions {
  /** The name of the scores; default "score". */
  readonly metric?: string | undefined;
  /** Direction of the metric; default higher. */
  readonly direction?: Direction | undefined;
  /** Default: sign flips. */
  readonly test?: ComparisonTest | undefined;
  /** Default: Holm. */
  readonly adjust?: Adjustment | undefined;
  /** Random sign flips above 20 prompts; default 10,000. */
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
 * @example
 * const row = (model: string, prompt: string, score: number) => ({ model, prompt, score });
 * comparison([row("a", "1", 0.5), row("b", "1", 0.7), row("a", "2", 0.2), row("b", "2", 0.3)])
 *   .pairs[0]?.winRate.value // 0: a loses both
 */
export function comparison(
  rows: readonly ComparisonRow[],
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
  }: ComparisonOptions = {},
): ComparisonConclusion {
  const sign = direction === "higher" ? 1 : -1;
  const samples = samplesOf(rows);
  const models = inOrder(samples.keys());
  const couples = models.flatMap((a, at) => models.slice(at + 1).map((b) => [a, b] as const));
  const seed = options.seed ?? 0;
  const prompts = [...new Set([...samples.values()].flatMap((its) => [...its.keys()]))].sort();
  const intervals = intervalMethod(options, { clusters: prompts.length, clusteredBy: "prompt" });
  const drawn = {
    samples,
    numberOf: new Map(prompts.map((prompt, at) => [prompt, at])),
    intervals,
  };
  const means = estimatesOf(models, [], drawn);
  const found: Omit<ComparedPair, "pAdjusted">[] = [];
  // A part of the pairs at a time: of 400 models there are 79,800, each with all its resamples.
  for (let from = 0; from < couples.length; from += pairsAtOnce) {
    const some = couples.slice(from, from + pairsAtOnce);
    const fought = some.map(([a, b]) => duels(samples, { a, b, sign, tieTolerance }));
    const estimates = estimatesOf([], fought, drawn);
    for (const [at, [a, b]] of some.entries()) {
      const its = fought[at] ?? [];
      const differences = its.map(({ difference }) => difference);
      const cohensDz = effectSize(differences);
      const both = (samples.get(a)?.size ?? 0) + (samples.get(b)?.size ?? 0);
      const random = randomFrom(seed, "sign flips", a, b);
      found.push({
        a,
        b,
        n: its.length,
        leftOut: both - 2 * its.length,
        difference: estimates[2 * at] ?? undefinedEstimate(noPrompt),
        winRate: estimates[2 * at + 1] ?? undefinedEstimate(noPrompt),
        ties: its.length === 0 ? null : its.reduce((sum, { tie }) => sum + tie, 0) / its.length,
        p: comparisonPValue(test, differences, { permutations, random }),
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
  const compared = models.map((model, at) =>
    comparedModel(rows, { model, mean: means[at] ?? undefinedEstimate(noScore), range }),
  );
  const n = compared.reduce((sum, one) => sum + one.n, 0);
  const corrected = humanCorrected(rows, {
    samples,
    models,
    pairs: couples,
    sampling: labels,
    sign,
    tieTolerance,
  });
  return {
    metric,
    direction,
    models: Object.fromEntries(compared.map((one, at) => [models[at] ?? "", one])),
    pairs,
    ...(corrected === undefined ? {} : { humanCorrected: corrected }),
    n,
    unscored: rows.length - n,
    test,
    adjust,
    permutations,
    seed,
    tieRule: `a tie is half a win; ${tieText(tieTolerance)}`,
    tieTolerance,
    warnings: [
      ...comparisonWarnings(rows, { models, pairs, intervals }),
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
    scores: promptScores(samples, models),
  };
}

const noScore = "nothing was scored";
const noPrompt = "no prompt has scores of both";

const pairsAtOnce = 1000;

/** The models' means, then of each pair of duels difference and win rate, all from the same draws. */
function estimatesOf(
  models: readonly string[],
  fought: readonly (readonly Duel[])[],
  {
    samples,
    numberOf,
    intervals,
  }: {
    readonly samples: SamplesOf;
    /** The number of each prompt. */
    readonly numberOf: ReadonlyMap<string, number>;
    readonly intervals: IntervalMethod;
  },
): Estimate[] {
  const lines: { cluster: number; group: number; sums: readonly [number, number, number] }[] = [];
  models.forEach((model, group) => {
    for (const [prompt, { scores }] of samples.get(model) ?? []) {
      const sum = scores.reduce((total, score) => total + score, 0);
      lines.push({ cluster: numberOf.get(prompt) ?? 0, group, sums: [scores.length, sum, 0] });
    }
  });
  fought.forEach((its, at) => {
    for (const { prompt, difference, win } of its) {
      const group = models.length + at;
      lines.push({ cluster: numberOf.get(prompt) ?? 0, group, sums: [1, difference, win] });
    }
  });
  const table = clusterSums({
    cluster: Int32Array.from(lines, ({ cluster }) => cluster),
    group: Int32Array.from(lines, ({ group }) => group),
    columns: ([0, 1, 2] as const).map((column) =>
      Float64Array.from(lines, ({ sums }) => sums[column]),
    ),
    clusters: numberOf.size,
    groups: models.length + fought.length,
  });
  const term = (group: number, numerator: number, whenEmpty: string) => ({
    weight: 1,
    groups: [group],
    numerator,
    denominator: 0,
    whenEmpty,
  });
  const estimands = [
    ...models.map((_, at) => ({ terms: [term(at, 1, noScore)] })),
    ...fought.flatMap((_, at) => [
      { terms: [term(models.length + at, 1, noPrompt)] },
      { terms: [term(models.length + at, 2, noPrompt)], within: [0, 1] as const },
    ]),
  ];
  return estimate(table, estimands, intervals).map((found, at) => {
    const isWinRate = at >= models.length && (at - models.length) % 2 === 1;
    return isWinRate ? withOneSidedBound(found, estimands[at]?.terms ?? [], table) : found;
  });
}

function comparedModel(
  rows: readonly ComparisonRow[],
  {
    model,
    mean,
    range,
  }: {
    readonly model: string;
    readonly mean: Estimate;
    readonly range: ComparisonOptions["range"];
  },
): ComparedModel {
  const its = rows.filter((row) => row.model === model);
  const scores = its.flatMap(({ score }) => (score === null ? [] : [score]));
  const unscored = its.length - scores.length;
  const all = range ?? extremes(rows);
  // From the mean, so that rounding never puts a bound on its wrong side.
  const had = (score: number) =>
    mean.value === null ? score : mean.value + (unscored / its.length) * (score - mean.value);
  return {
    n: scores.length,
    unscored,
    mean,
    bounds: all === undefined ? { low: null, high: null } : { low: had(all[0]), high: had(all[1]) },
  };
}

function extremes(rows: readonly ComparisonRow[]): readonly [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { score } of rows) {
    if (score === null) continue;
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  return low <= high ? [low, high] : undefined;
}
