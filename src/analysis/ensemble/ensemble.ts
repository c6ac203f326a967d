import { largestOf } from "../../core/arrays.js";
import { pluralText } from "../../core/phrases.js";
import { picked, placesWith } from "../../core/row-codes.js";
import type { WeightCandidate } from "../../ensembles/choose-weights.js";
import { roundingGap } from "../../ensembles/mixture-weights.js";
import type { Objective } from "../../ensembles/weight-problem.js";
import type { Estimate } from "../../stats/estimate.js";
import { claimBinner, type ReliabilityBin, topLabel } from "../../stats/reliability-bins.js";
import {
  type CalibrationStatistic,
  calibrationStatistics,
} from "../calibration/calibration-measures.js";
import { fewClusters } from "../inference/few-clusters.js";
import { type IntervalMethod, intervalMethod } from "../inference/intervals.js";
import {
  type EnsembleMethod,
  ensembleGroupings,
  ensembleMethods,
  type FittedMethods,
  fitMethods,
} from "./ensemble-methods.js";
import { ensembleMetrics } from "./ensemble-metrics.js";
import {
  type EnsembleData,
  type EnsembleRow,
  type EnsembleTable,
  ensembleData,
  ensembleTable,
} from "./ensemble-rows.js";
import { type EnsembleTest, ensembleTests } from "./ensemble-tests.js";

/** How good one method is on the test rows, and how it weighs prompts. */
export interface EnsembleResult {
  /** Test rows that it answered; of one prompt at random, that all prompts answered. */
  readonly n: number;
  readonly unscored: number;
  /** Null where undefined. */
  readonly metrics: Readonly<Record<CalibrationStatistic, number | null>>;
  readonly intervalsOf: Readonly<Record<CalibrationStatistic, Estimate>>;
  /** Bins of top-label confidence; for one prompt at random, of all prompts together. */
  readonly bins: readonly ReliabilityBin[];
  /** [group][prompt]; null for one prompt at random. */
  readonly weights: readonly (readonly number[])[] | null;
  readonly objective: Objective | null;
  readonly lambda: number | null;
  readonly objectiveValue: number | null;
  /** No weights have an objective value above objectiveValue + dualityGap. */
  readonly dualityGap: number | null;
}

/** One group of images. */
export interface EnsembleGroup {
  /** Images that were clustered into it; null where the membership was given, or of one group. */
  readonly images: number | null;
  /** The sum of the labels' memberships: how many labels speak for it. */
  readonly support: number;
  /** The prompt with the largest weight, from 0. */
  readonly heaviestPrompt: number;
  readonly heaviestWeight: number;
}

export interface EnsembleConclusion {
  /** Test rows with a label and an answer. */
  readonly n: number;
  readonly unscored: number;
  /** The rows that weights are fitted on. */
  readonly validation: {
    /** Rows with a label and an answer. */
    readonly n: number;
    readonly unscored: number;
    /** Answers that are missing in them, of all prompts together. */
    readonly unanswered: number;
    /** Answers that held what is right for less likely than 1e-15. */
    readonly clipped: number;
  };
  readonly prompts: number;
  /** Prompts that answered none of the labels, from 0. */
  readonly silentPrompts: readonly number[];
  /** The prompt that `best` took, from 0. */
  readonly bestPrompt: number;
  readonly methods: Readonly<Record<EnsembleMethod, EnsembleResult>>;
  readonly tests: readonly EnsembleTest[];
  /** The settings chosen for `mmb`, and how well they predicted labels that were left out. */
  readonly chosen: WeightCandidate;
  readonly candidates: readonly WeightCandidate[];
  /** Into how many parts the labels were dealt for that. */
  readonly folds: number;
  readonly groups: readonly EnsembleGroup[];
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
  readonly permutations: number;
  readonly seed: number;
}

export interface EnsembleOptions {
  /** Default: the one that foresees left-out labels best. */
  readonly objective?: Objective | "auto" | undefined;
  /** Default: 1 for an objective that is named, else chosen with it. */
  readonly lambda?: number | undefined;
  /** Default: chosen from 1, 4, 8 and 16, as far as there are images for them. */
  readonly clusters?: number | undefined;
  /** Default: chosen from 0.03, 0.1 and 0.3. */
  readonly temperature?: number | undefined;
  /** Restarts of k-means; default 3. */
  readonly restarts?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Default: percentiles. */
  readonly interval?: "percentile" | "bca" | undefined;
  /** Default 2,000. */
  readonly resamples?: number | undefined;
  /** Default 10,000. */
  readonly permutations?: number | undefined;
}

/**
 * Which way to make one judge of several prompts is best: one prompt at random, the best prompt, their
 * average, Bayesian Prompt Ensembles (one group of images; under the objective of `mmb` and under
 * equation 5) and the Multimodal Mixture of them (weights for each group). Fitted on the validation
 * rows, judged on the test rows. Slyman et al., "Calibrating MLLM-as-a-judge via Multimodal Bayesian
 * Prompt Ensembles" (2025). The order of rows changes nothing.
 *
 * @throws InputError as `ensembleData` does; RangeError where there are too few images to group.
 */
export const ensemble = (
  rows: readonly EnsembleRow[],
  options: EnsembleOptions = {},
): EnsembleConclusion => ensembleOf(ensembleTable(rows), options);

/** The same of rows by column. */
export function ensembleOf(
  table: EnsembleTable,
  {
    objective = "auto",
    lambda,
    clusters,
    temperature,
    restarts = 3,
    seed = 0,
    interval = "percentile",
    resamples,
    permutations = 10_000,
  }: EnsembleOptions = {},
): EnsembleConclusion {
  const data = ensembleData(table);
  const { validation, test } = data;
  const groupings = ensembleGroupings(data, { clusters, temperature, restarts, seed });
  const fitted = fitMethods(data, groupings, { objective, lambda });
  const intervals = intervalMethod(
    { interval, resamples, seed },
    { clusters: test.units.names.length, clusteredBy: data.clusteredBy },
  );
  const predicted = ensembleMethods.map(
    (method) => [method, fitted.fits[method].predictions] as const,
  );
  const results = predicted.map(
    ([method, columns]) =>
      [method, resultOf(data, { fitted, method, columns, intervals })] as const,
  );
  // Made from the list of all of them.
  const methods = Object.fromEntries(results) as Record<EnsembleMethod, EnsembleResult>;
  const { likelihoods, choice } = fitted;
  const silentPrompts = [...likelihoods.silent.keys()].filter(
    (prompt) => likelihoods.silent[prompt] === 1,
  );
  return {
    n: test.rows,
    unscored: test.unscored,
    validation: {
      n: validation.rows,
      unscored: validation.unscored,
      unanswered: likelihoods.unanswered,
      clipped: likelihoods.clipped,
    },
    prompts: data.prompts,
    silentPrompts,
    bestPrompt: fitted.bestPrompt,
    methods,
    tests: ensembleTests(test, predicted, { permutations, seed }),
    chosen: choice.chosen,
    candidates: choice.candidates,
    folds: choice.folds,
    groups: groupsOf(fitted),
    warnings: ensembleWarnings(data, { fitted, silentPrompts, intervals }),
    intervals,
    permutations,
    seed,
  };
}

function resultOf(
  { test }: EnsembleData,
  {
    fitted,
    method,
    columns,
    intervals,
  }: {
    readonly fitted: FittedMethods;
    readonly method: EnsembleMethod;
    readonly columns: readonly Float64Array[];
    readonly intervals: IntervalMethod;
  },
): EnsembleResult {
  const { predictions: _, ...fit } = fitted.fits[method];
  const n = placesWith(test.rows, columns).length;
  const intervalsOf = ensembleMetrics(test, columns, intervals);
  const metrics = calibrationStatistics.map((name) => [name, intervalsOf[name].value]);
  const answered = columns.map((column) => ({ column, rows: placesWith(test.rows, [column]) }));
  const claims = topLabel(
    answered.flatMap(({ rows }) => [...picked(test.labels, rows)]),
    answered.flatMap(({ column, rows }) => [...picked(column, rows)]),
  );
  return {
    n,
    unscored: test.rows - n,
    intervalsOf,
    metrics: Object.fromEntries(metrics) as EnsembleResult["metrics"],
    bins: claimBinner(claims, { count: 10 })(),
    ...fit,
  };
}

function groupsOf({ fits, grouping }: FittedMethods): EnsembleGroup[] {
  const { clustering, membership, clusters } = grouping;
  return (fits.mmb.weights ?? []).map((weights, group) => {
    const heaviestPrompt = weights.indexOf(largestOf(weights));
    return {
      images: clustering?.assignment.reduce((sum, at) => sum + (at === group ? 1 : 0), 0) ?? null,
      support: membership.reduce(
        (sum, share, at) => sum + (at % clusters === group ? share : 0),
        0,
      ),
      heaviestPrompt,
      heaviestWeight: weights[heaviestPrompt] ?? 0,
    };
  });
}

/** Fewer labels say little of ten prompts, and next to nothing of which objective is better. */
const fewLabels = 20;
const largestGap = 1e-8;
/** The same limits as `analyze calibration`: docs/research/intervals.md. */
const enoughForErrors = 1000;

/** Caveats of a comparison of ensembles, a sentence each. */
function ensembleWarnings(
  { validation, test, dimensions, groups, support }: EnsembleData,
  {
    fitted: { fits, choice, grouping, likelihoods },
    silentPrompts,
    intervals,
  }: {
    readonly fitted: FittedMethods;
    readonly silentPrompts: readonly number[];
    readonly intervals: IntervalMethod;
  },
): string[] {
  const warnings: string[] = [];
  const { rows: labels } = validation;
  if (labels === 0) {
    warnings.push(
      "no row of split validation has a label: all weights are uniform, and best is the first prompt",
    );
  } else if (new Set(validation.labels).size === 1) {
    warnings.push(
      `all ${labels} labels to fit on are ${validation.labels[0]}: weights favour prompts that always give that answer`,
    );
  }
  if (labels > 0 && labels < fewLabels) {
    warnings.push(
      `weights come from ${pluralText(labels, "label")} only; other labels would give other weights`,
    );
  }
  if (labels > 0 && choice.candidates.length > 1) {
    warnings.push(
      `${choice.candidates.length} ways to fit were compared by ` +
        `${choice.folds < labels ? `${choice.folds}-fold cross-validation` : "leave-one-out"} on ` +
        `${pluralText(labels, "label")}: the choice of the best is uncertain`,
    );
  }
  if (dimensions === 0 && groups === 0) {
    warnings.push(
      "there are no embeddings and no memberships: all images are one group, and mmb is bpe",
    );
  } else if (grouping.clusters === 1) {
    warnings.push("one group of images was chosen, so that mmb is bpe");
  }
  if (dimensions > 0 && support.length === 0 && grouping.clustering !== null) {
    warnings.push(
      "there are no support rows: groups were found on the images of the labels themselves",
    );
  }
  if (grouping.clustering?.converged === false) {
    warnings.push("k-means did not converge; its last groups are used");
  }
  const { dualityGap, objectiveValue } = fits.mmb;
  if ((dualityGap ?? 0) > Math.max(largestGap, roundingGap(labels, objectiveValue ?? 0))) {
    warnings.push(
      `the weights of mmb may lie ${dualityGap?.toPrecision(2)} below the best objective value: a larger lambda is easier to fit`,
    );
  }
  if (silentPrompts.length > 0) {
    const names = silentPrompts.map((prompt) => prompt + 1).join(", ");
    warnings.push(
      `${silentPrompts.length === 1 ? "prompt" : "prompts"} ${names} answered none of the labels and ` +
        `${silentPrompts.length === 1 ? "has" : "have"} weight 0`,
    );
  }
  if (likelihoods.unanswered > 0) {
    warnings.push(
      `${pluralText(likelihoods.unanswered, "answer")} to labels ${likelihoods.unanswered === 1 ? "is" : "are"} missing; ` +
        "each counts as the mean of the others' on its row",
    );
  }
  const missing = test.probabilities.reduce((sum, p) => sum + (Number.isNaN(p) ? 1 : 0), 0);
  if (missing > 0) {
    warnings.push(
      `${pluralText(missing, "answer")} to test rows ${missing === 1 ? "is" : "are"} missing; there the other judge prompts share the weight`,
    );
  }
  if (likelihoods.clipped > 0) {
    warnings.push(
      `${pluralText(likelihoods.clipped, "answer")} gave what is right a probability below 1e-15 and ` +
        `${likelihoods.clipped === 1 ? "counts" : "count"} as 1e-15`,
    );
  }
  const lost = validation.unscored + test.unscored;
  if (lost > 0) {
    warnings.push(
      `${pluralText(lost, "row")} without a label or any answer ${lost === 1 ? "is" : "are"} unscored and excluded`,
    );
  }
  const bare = validation.withoutEmbedding + test.withoutEmbedding;
  if (bare > 0) {
    warnings.push(
      `${pluralText(bare, "row")} without an embedding ${bare === 1 ? "belongs" : "belong"} to all groups equally`,
    );
  }
  if (test.rows < enoughForErrors) {
    warnings.push(
      `ECE and MCE of ${pluralText(test.rows, "row")} are biased upwards with so few rows, and so are their intervals`,
    );
  }
  return [...warnings, ...fewClusters(intervals)];
}
