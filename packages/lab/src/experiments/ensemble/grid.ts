import {
  type LabelLikelihoods,
  labelLikelihoods,
} from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import { mixtureWeights } from "touchstone-t2i/internal/ensembles/mixture-weights.js";
import {
  bestPrompt,
  closedFormSums,
  weightsFromSums,
} from "touchstone-t2i/internal/ensembles/prompt-weights.js";
import type { Objective, WeightProblem } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import type { ExperimentAnswers, PromptAnswers } from "./answers.js";
import { drawnLabels, drawnPrompts, type GroupedPairs, groupedPairs } from "./draws.js";
import { curvePoints, experimentMeasures, experimentMetrics } from "./metrics.js";
import { answeredPrediction } from "./prediction.js";

/** A grid of experiments: every combination of its lists. */
export interface GridDesign {
  readonly prompts: readonly number[];
  readonly labels: readonly number[];
  readonly clusters: readonly number[];
  /** Numbers of draws. */
  readonly seeds: { readonly training: number; readonly labels: number; readonly clusters: number };
  /** Objectives of the mixture of ensembles (MMB) and of the ensemble with one group (BPE). */
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  /** Temperature of membership. */
  readonly temperature: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  /** Seed of all draws. */
  readonly seed: number;
}

/**
 * Slyman et al. (2025), table 5: 52,200 experiments with one objective: 45,000 of MMB and 1,800 each
 * of four baselines. Their training seeds start an optimiser; a closed form has nothing to start, so
 * here they draw which prompts are used.
 */
export const paperGrid = {
  prompts: [5, 10, 20],
  labels: [5, 10, 20, 50],
  clusters: [4, 8, 16, 32, 64],
  seeds: { training: 3, labels: 50, clusters: 5 },
  supportPerCluster: 256,
  restarts: 3,
  iterations: 1000,
} as const;

/** A quick look: 2,232 experiments. */
export const smallGrid = {
  ...paperGrid,
  prompts: [5, 10],
  clusters: [4, 16],
  seeds: { training: 3, labels: 15, clusters: 2 },
} as const;

/** Experiments that are computed and stored together. */
export interface GridChunk {
  /** Such as "mmb-K16-c3-p10-t0". */
  readonly key: string;
  /** Number of groups; 0 for the methods that have none. */
  readonly clusters: number;
  readonly cluster: number;
  readonly prompts: number;
  readonly training: number;
}

/** Returns the methods without groups, in the order of their results. */
export function baselineMethods({ objectives }: Pick<GridDesign, "objectives">): string[] {
  return ["standard", "best", "average", "bpe", ...objectives.map((name) => `bpe ${name}`)];
}

/** Returns the methods with groups, in the order of their results. */
export const mixtureMethods = ({ objectives }: Pick<GridDesign, "objectives">): string[] =>
  objectives.map((name) => `mmb ${name}`);

/** Counts the experiments of a grid, and how many of them differ. */
export function gridSize(
  { prompts, labels, clusters, seeds, objectives }: GridDesign,
  available: number,
): { readonly experiments: number; readonly different: number } {
  const draws = labels.length * seeds.labels;
  const methods = 4 + objectives.filter((name) => name !== "global-entropy").length;
  const each = draws * (methods + clusters.length * seeds.clusters * objectives.length);
  const runs = prompts.map((count) => (count === available ? 1 : seeds.training));
  return {
    experiments: each * prompts.length * seeds.training,
    different: each * runs.reduce((sum, count) => sum + count, 0),
  };
}

/** Returns the training seed to use: 0 where all prompts are used, since all draws are then equal. */
export const trainingOf = (training: number, prompts: number, available: number) =>
  prompts === available ? 0 : training;

/** Returns all chunks, most groups first; chunks of one clustering follow each other. */
export function gridChunks(design: GridDesign, available: number): GridChunk[] {
  const runs = design.prompts.flatMap((prompts) =>
    Array.from({ length: design.seeds.training }, (_, training) => ({ prompts, training })),
  );
  const different = runs.filter(
    ({ prompts, training }) => training === trainingOf(training, prompts, available),
  );
  const chunk = (clusters: number, cluster: number): GridChunk[] =>
    different.map(({ prompts, training }) => ({
      key: chunkKey({ clusters, cluster, prompts, training }),
      clusters,
      cluster,
      prompts,
      training,
    }));
  const clusterings = [...design.clusters]
    .sort((a, b) => b - a)
    .flatMap((clusters) =>
      Array.from({ length: design.seeds.clusters }, (_, cluster) => chunk(clusters, cluster)),
    );
  return [...clusterings.flat(), ...chunk(0, 0)];
}

export const chunkKey = ({ clusters, cluster, prompts, training }: Omit<GridChunk, "key">) =>
  clusters === 0
    ? `baselines-p${prompts}-t${training}`
    : `mmb-K${clusters}-c${cluster}-p${prompts}-t${training}`;

/** Number of values of one experiment: its metrics, then its error-coverage curve. */
export const resultWidth = experimentMetrics.length + curvePoints;

/**
 * Returns a function that computes one chunk. It keeps the last clustering for the next chunk.
 *
 * @returns the results of a chunk at [((method * labels + label count) * label seeds + seed) *
 *   resultWidth], with methods in the order of `baselineMethods` or `mixtureMethods`.
 */
export function gridWork(
  answers: ExperimentAnswers,
  design: GridDesign,
): (chunk: GridChunk) => Float64Array {
  const { test, pool } = answers;
  const measure = experimentMeasures(test.labels);
  const prediction = new Float64Array(test.labels.length);
  const oneGroup = groupedPairs(answers, { ...design, clusters: 1, cluster: 0 });
  const ofPrompt = singlePrompts(answers, measure, prediction);
  const draws = design.labels.flatMap((count) =>
    Array.from({ length: design.seeds.labels }, (_, labels) =>
      drawnLabels(pool, { count, labels, seed: design.seed }),
    ),
  );
  let grouped: GroupedPairs | undefined;
  let clustering = "";

  return (chunk) => {
    const used = drawnPrompts(answers.prompts, {
      count: chunk.prompts,
      training: chunk.training,
      seed: design.seed,
    });
    const prompts = used.length;
    const onTest = columns(test, answers.prompts, used);
    const likelihoods = labelLikelihoods({
      labels: pool.labels,
      probabilities: columns(pool, answers.prompts, used),
      prompts,
    });
    const fitted = (pairs: GroupedPairs, objective: Objective, lambda: number) => {
      const weights = new Float64Array(pairs.clusters * prompts);
      const problem = { likelihoods, membership: pairs.pool, groups: pairs.clusters };
      const predict = answeredPrediction({
        probabilities: onTest,
        prompts,
        membership: pairs.test,
        groups: pairs.clusters,
      });
      return (chosen: Int32Array, results: Float64Array, at: number) => {
        fitWeights({ ...problem, chosen }, { objective, lambda }, weights);
        predict(weights, prediction);
        measure(prediction, results, at, results, at + experimentMetrics.length);
      };
    };
    if (chunk.clusters > 0) {
      const name = `${chunk.clusters} ${chunk.cluster}`;
      if (grouped === undefined || clustering !== name)
        grouped = groupedPairs(answers, { ...design, ...chunk });
      clustering = name;
      const pairs = grouped;
      return results(
        design.objectives.map((objective) => fitted(pairs, objective, design.lambda)),
        draws,
      );
    }
    const copied = (from: Float64Array) => (_: Int32Array, into: Float64Array, at: number) =>
      into.set(from, at);
    return results(
      [
        copied(
          meanOf(Array.from(used, (prompt) => ofPrompt[prompt] ?? new Float64Array(resultWidth))),
        ),
        (chosen, into, at) =>
          into.set(ofPrompt[used[bestPrompt(chosenLabels(likelihoods, chosen))] ?? 0] ?? [], at),
        copied(averaged(onTest, prompts, measure, prediction)),
        fitted(oneGroup, "global-entropy", 1),
        ...design.objectives.map((objective) => fitted(oneGroup, objective, design.lambda)),
      ],
      draws,
    );
  };
}

type Measure = ReturnType<typeof experimentMeasures>;
type Method = (chosen: Int32Array, into: Float64Array, at: number) => void;

function results(methods: readonly Method[], draws: readonly Int32Array[]): Float64Array {
  const into = new Float64Array(methods.length * draws.length * resultWidth);
  methods.forEach((method, which) => {
    draws.forEach((chosen, draw) => {
      method(chosen, into, (which * draws.length + draw) * resultWidth);
    });
  });
  return into;
}

/** Fits an objective's weights on the chosen labels, into `weights`. */
export function fitWeights(
  problem: WeightProblem,
  { objective, lambda }: { readonly objective: Objective; readonly lambda: number },
  weights: Float64Array,
): void {
  if (objective === "mixture") mixtureWeights(problem, { lambda }, weights);
  else weightsFromSums(closedFormSums(problem), { objective, lambda }, weights);
}

/** Measures each prompt alone on the test pairs. */
function singlePrompts(
  { test, prompts }: ExperimentAnswers,
  measure: Measure,
  prediction: Float64Array,
): Float64Array[] {
  return Array.from({ length: prompts }, (_, prompt) => {
    for (let row = 0; row < prediction.length; row++) {
      prediction[row] = test.probabilities[row * prompts + prompt] ?? 0;
    }
    return measured(measure, prediction);
  });
}

function averaged(
  probabilities: Float64Array,
  prompts: number,
  measure: Measure,
  prediction: Float64Array,
): Float64Array {
  for (let row = 0; row < prediction.length; row++) {
    let sum = 0;
    for (let at = row * prompts; at < (row + 1) * prompts; at++) sum += probabilities[at] ?? 0;
    prediction[row] = Math.min(1, sum / prompts);
  }
  return measured(measure, prediction);
}

function measured(measure: Measure, prediction: Float64Array): Float64Array {
  const into = new Float64Array(resultWidth);
  measure(prediction, into, 0, into, experimentMetrics.length);
  return into;
}

/** Returns the mean of each value; NaN where it is NaN for one. */
function meanOf(some: readonly Float64Array[]): Float64Array {
  return new Float64Array(resultWidth).map(
    (_, at) => some.reduce((sum, each) => sum + (each[at] ?? 0), 0) / some.length,
  );
}

/** Returns the answers of the prompts in `used`: rows x used. */
export function columns(
  { group, probabilities }: PromptAnswers,
  prompts: number,
  used: Int32Array,
): Float64Array {
  const rows = group.length;
  const some = new Float64Array(rows * used.length);
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < used.length; at++) {
      some[row * used.length + at] = probabilities[row * prompts + (used[at] ?? 0)] ?? Number.NaN;
    }
  }
  return some;
}

/** Returns the likelihoods of the chosen labels alone. */
export function chosenLabels(all: LabelLikelihoods, chosen: Int32Array): LabelLikelihoods {
  const { prompts } = all;
  const part = (values: Float64Array) => {
    const some = new Float64Array(chosen.length * prompts);
    chosen.forEach((label, at) => {
      some.set(values.subarray(label * prompts, (label + 1) * prompts), at * prompts);
    });
    return some;
  };
  return {
    ...all,
    labels: chosen.length,
    rows: chosen,
    likelihood: part(all.likelihood),
    logLikelihood: part(all.logLikelihood),
  };
}
