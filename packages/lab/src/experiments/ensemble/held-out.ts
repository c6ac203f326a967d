import {
  undefinedEstimate,
  withInterval,
} from "touchstone-t2i/internal/analysis/inference/intervals.js";
import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import {
  type LabelLikelihoods,
  labelLikelihoods,
} from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import { bestPrompt } from "touchstone-t2i/internal/ensembles/prompt-weights.js";
import type { Objective } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { drawClusters } from "touchstone-t2i/internal/stats/cluster-bootstrap.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { normalTails } from "touchstone-t2i/internal/stats/normal.js";
import { percentileInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import type { ExperimentAnswers } from "./answers.js";
import { drawnLabels, type GroupedPairs, groupedPairs } from "./draws.js";
import { chosenLabels, fitWeights } from "./grid.js";
import { answeredPrediction } from "./prediction.js";
import {
  type CoverageError,
  curveCoverages,
  emptyReliability,
  type HeldOutMetric,
  heldOutMetrics,
  type PooledReliability,
  resampledCurve,
  resampledRun,
} from "./resampled.js";

/** How claims are tested on held-out pairs. */
export interface HeldOutDesign {
  readonly labels: number;
  readonly clusters: number;
  readonly seeds: { readonly labels: number; readonly clusters: number };
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  readonly temperature: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly resamples: number;
  readonly seed: number;
}

/** A method's means over all draws of labels and groups. */
export interface HeldOutMethod {
  readonly method: string;
  readonly metrics: Readonly<Record<HeldOutMetric, Estimate>>;
  /** Error over coverage, with intervals from the same resamples. */
  readonly curve: readonly CoverageError[];
  /** Sums over all draws. */
  readonly reliability: PooledReliability;
  /** Number of fits averaged. */
  readonly fits: number;
}

/** All methods and objectives on the held-out pairs of one world. */
export interface HeldOutConclusion {
  readonly n: number;
  readonly captions: number;
  readonly pool: number;
  readonly unscored: number;
  readonly methods: readonly HeldOutMethod[];
  /** Half the widest interval of a calibration error; null where one of them has no interval. */
  readonly halfWidth: number | null;
  readonly warnings: readonly string[];
  /** One method's metric minus another's, from the same resamples; p is two-sided, from the bootstrap standard error. */
  difference(
    method: string,
    than: string,
    metric: HeldOutMetric,
  ): (Estimate & { readonly p: number | null }) | undefined;
}

/**
 * Values of one fit at [metric][resample]; the points of its curve follow the metrics. Resample 0 is the
 * data.
 */
type RunValues = readonly Float64Array[];

interface MethodRuns {
  readonly method: string;
  /** `labels` is the label seed; null for a method that uses no labels. */
  readonly runs: readonly { readonly labels: number | null; readonly values: RunValues }[];
  readonly reliability: PooledReliability;
}

/**
 * Fits every method on draws of labels and groups and evaluates it on the same held-out pairs. Intervals
 * resample captions and label seeds together, so they cover both other pairs and other labels. All methods
 * share the draws, so differences are paired.
 */
export function heldOut(answers: ExperimentAnswers, design: HeldOutDesign): HeldOutConclusion {
  const { test, pool, prompts } = answers;
  const random = randomFrom(design.seed, "held-out", "resamples");
  const weights = rowWeights(test, { resamples: design.resamples, random });
  const seeds = seedWeights(design.seeds.labels, { resamples: design.resamples, random });
  const run = resampledRun(test.labels, weights);
  const curve = resampledCurve(test.labels, weights);
  const likelihoods = labelLikelihoods({
    labels: pool.labels,
    probabilities: pool.probabilities,
    prompts,
  });
  const draws = Array.from({ length: design.seeds.labels }, (_, labels) =>
    drawnLabels(pool, { count: design.labels, labels, seed: design.seed }),
  );
  const one = groupedPairs(answers, { ...design, clusters: 1, cluster: 0 });
  const groupings = Array.from({ length: design.seeds.clusters }, (_, cluster) =>
    groupedPairs(answers, { ...design, cluster }),
  );
  const prediction = new Float64Array(test.labels.length);
  const methodRuns = (
    method: string,
    fits: readonly { readonly labels: number | null; predict(): void }[],
  ): MethodRuns => {
    const reliability = emptyReliability();
    const runs = fits.map(({ labels, predict }) => {
      predict();
      return { labels, values: [...run(prediction, reliability), ...curve(prediction)] };
    });
    return { method, runs, reliability };
  };
  const alone = (prompt: number) => () => {
    for (let row = 0; row < prediction.length; row++) {
      prediction[row] = test.probabilities[row * prompts + prompt] ?? 0.5;
    }
  };
  const weighed = (pairs: GroupedPairs, given: Float64Array) =>
    answeredPrediction({
      probabilities: test.probabilities,
      prompts,
      membership: pairs.test,
      groups: pairs.clusters,
    })(given, prediction);
  const fitted = (pairs: readonly GroupedPairs[], objective: Objective, lambda: number) =>
    draws.flatMap((chosen, labels) =>
      pairs.map((grouped) => ({
        labels,
        predict: () =>
          weighed(grouped, weightsOf(grouped, likelihoods, { chosen, objective, lambda })),
      })),
    );
  const all = [
    methodRuns(
      "standard",
      Array.from({ length: prompts }, (_, prompt) => ({ labels: null, predict: alone(prompt) })),
    ),
    methodRuns(
      "best",
      draws.map((chosen, labels) => ({
        labels,
        predict: alone(bestPrompt(chosenLabels(likelihoods, chosen))),
      })),
    ),
    methodRuns("average", [
      { labels: null, predict: () => weighed(one, new Float64Array(prompts).fill(1 / prompts)) },
    ]),
    methodRuns("bpe", fitted([one], "global-entropy", 1)),
    ...design.objectives.flatMap((objective) => [
      methodRuns(`bpe ${objective}`, fitted([one], objective, design.lambda)),
      methodRuns(`mmb ${objective}`, fitted(groupings, objective, design.lambda)),
    ]),
  ];
  const resampled = new Map(
    all.map((each) => [
      each.method,
      [...heldOutMetrics, ...curveCoverages].map((_, at) => overSeeds(each, at, seeds)),
    ]),
  );
  const methods = all.map(
    ({ method, runs, reliability }): HeldOutMethod => ({
      method,
      reliability,
      fits: runs.length,
      metrics: recordOf((_, at) => estimateOf(resampled.get(method)?.[at] ?? new Float64Array())),
      curve: curveCoverages.map((coverage, point) => ({
        coverage,
        error: estimateOf(
          resampled.get(method)?.[heldOutMetrics.length + point] ?? new Float64Array(),
        ),
      })),
    }),
  );
  return {
    n: test.labels.length,
    captions: test.groups,
    pool: pool.labels.length,
    unscored: answers.unscored,
    warnings: answers.warnings,
    methods,
    halfWidth: widestHalf(methods.map(({ metrics }) => metrics.ece)),
    difference(method, than, metric) {
      const at = heldOutMetrics.indexOf(metric);
      const [first, second] = [resampled.get(method)?.[at], resampled.get(than)?.[at]];
      if (first === undefined || second === undefined) return undefined;
      const differences = first.map((value, resample) => value - (second[resample] ?? Number.NaN));
      return { ...estimateOf(differences), p: twoSided(differences) };
    },
  };
}

/** Returns half the width of the widest interval; null where an interval is missing. */
export function widestHalf(estimates: readonly Estimate[]): number | null {
  const halves = estimates.flatMap(({ low, high }) =>
    low === null || high === null ? [] : [(high - low) / 2],
  );
  return halves.length < estimates.length ? null : largestOf(halves);
}

/** Returns a record with a value for each metric. */
export function recordOf(
  value: (metric: HeldOutMetric, at: number) => Estimate,
): Record<HeldOutMetric, Estimate> {
  // Its keys are all metrics, which the type of `fromEntries` cannot say.
  return Object.fromEntries(
    heldOutMetrics.map((metric, at) => [metric, value(metric, at)]),
  ) as Record<HeldOutMetric, Estimate>;
}

function weightsOf(
  { pool, clusters }: GroupedPairs,
  likelihoods: LabelLikelihoods,
  {
    chosen,
    objective,
    lambda,
  }: { readonly chosen: Int32Array; readonly objective: Objective; readonly lambda: number },
): Float64Array {
  const weights = new Float64Array(clusters * likelihoods.prompts);
  fitWeights(
    { likelihoods, membership: pool, groups: clusters, chosen },
    { objective, lambda },
    weights,
  );
  return weights;
}

/** Returns how often each pair counts, at [resample][pair]. Resample 0 is the data; the others draw captions. */
export function rowWeights(
  { group, groups }: ExperimentAnswers["test"],
  {
    resamples,
    random,
  }: { readonly resamples: number; readonly random: ReturnType<typeof randomFrom> },
): Float64Array[] {
  const drawn = new Float64Array(groups);
  return Array.from({ length: resamples + 1 }, (_, resample) => {
    if (resample === 0) drawn.fill(1);
    else drawClusters(random, drawn);
    return Float64Array.from(group, (caption) => drawn[caption] ?? 0);
  });
}

/** Returns how often each seed counts, at [resample][seed]. Resample 0 is the data. */
export function seedWeights(
  seeds: number,
  {
    resamples,
    random,
  }: { readonly resamples: number; readonly random: ReturnType<typeof randomFrom> },
): Float64Array[] {
  return Array.from({ length: resamples + 1 }, (_, resample) => {
    const drawn = new Float64Array(seeds);
    if (resample === 0) drawn.fill(1);
    else drawClusters(random, drawn);
    return drawn;
  });
}

/** Returns the mean of a metric over fits, at [resample]. */
export function overSeeds(
  { runs }: Pick<MethodRuns, "runs">,
  metric: number,
  seeds: readonly Float64Array[],
): Float64Array {
  return Float64Array.from(seeds, (drawn, resample) => {
    let sum = 0;
    let count = 0;
    for (const { labels, values } of runs) {
      const times = labels === null ? 1 : (drawn[labels] ?? 0);
      if (times === 0) continue;
      sum += times * (values[metric]?.[resample] ?? Number.NaN);
      count += times;
    }
    return sum / count;
  });
}

/** Returns the first value with a percentile interval of the others. */
export function estimateOf(values: Float64Array): Estimate {
  const value = values[0] ?? Number.NaN;
  const interval = percentileInterval(values.subarray(1));
  return Number.isNaN(value)
    ? undefinedEstimate("it is undefined")
    : withInterval(value, interval, { whenNone: "no interval: no resample has a value" });
}

/** Two-sided p-value of a normal test; the standard error is that of the resamples. Null where it is 0. */
function twoSided(values: Float64Array): number | null {
  const resampled = values.subarray(1);
  let mean = 0;
  for (const value of resampled) mean += value / resampled.length;
  let squares = 0;
  for (const value of resampled) squares += (value - mean) ** 2;
  const error = Math.sqrt(squares / (resampled.length - 1));
  return error > 0 ? normalTails((values[0] ?? 0) / error) : null;
}
