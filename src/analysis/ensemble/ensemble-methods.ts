import { randomFrom } from "../../core/random.js";
import {
  chooseWeights,
  defaultLambdas,
  type WeightChoice,
} from "../../ensembles/choose-weights.js";
import { type LabelLikelihoods, labelLikelihoods } from "../../ensembles/label-likelihoods.js";
import { softMembership } from "../../ensembles/membership.js";
import {
  averageWeights,
  bayesianPromptEnsemble,
  bestPrompt,
  ensemblePrediction,
  type PromptWeights,
  promptWeights,
} from "../../ensembles/prompt-weights.js";
import { type Clustering, sphericalKMeans } from "../../ensembles/spherical-k-means.js";
import { type Objective, objectives } from "../../ensembles/weight-problem.js";
import type { EnsembleData } from "./ensemble-rows.js";

/** The methods that are compared, in the order in which tables list them. */
export const ensembleMethods = [
  "standard",
  "best",
  "average",
  "bpe",
  "bpeEquation5",
  "mmb",
] as const;
export type EnsembleMethod = (typeof ensembleMethods)[number];

/** A fitted method, with its predictions for the test rows. */
export interface MethodFit {
  /** For each group a weight for each prompt; null for one prompt at random. */
  readonly weights: readonly (readonly number[])[] | null;
  readonly objective: Objective | null;
  readonly lambda: number | null;
  readonly objectiveValue: number | null;
  readonly dualityGap: number | null;
  /**
   * P(label is 1) of each test row, NaN for no answer: one column, of one prompt at random as many as
   * there are prompts that answered any.
   */
  readonly predictions: readonly Float64Array[];
}

export interface FittedMethods {
  readonly fits: Readonly<Record<EnsembleMethod, MethodFit>>;
  readonly choice: WeightChoice;
  readonly grouping: EnsembleGrouping;
  readonly likelihoods: LabelLikelihoods;
  /** The prompt that `best` took, from 0. */
  readonly bestPrompt: number;
}

/**
 * Fits all methods on the validation rows. What is not given of objective and lambda, and which of
 * the groupings, is chosen by leaving labels out; the lambda of an objective that is named is 1.
 */
export function fitMethods(
  data: EnsembleData,
  groupings: readonly EnsembleGrouping[],
  {
    objective,
    lambda,
  }: { readonly objective: Objective | "auto"; readonly lambda: number | undefined },
): FittedMethods {
  const { validation, test, prompts } = data;
  const likelihoods = labelLikelihoods({ ...validation, prompts });
  const choice = chooseWeights({
    likelihoods,
    groupings,
    objectives: objective === "auto" ? objectives : [objective],
    lambdas: lambda === undefined ? (objective === "auto" ? defaultLambdas : [1]) : [lambda],
  });
  const { chosen } = choice;
  const grouping = groupings.find(
    ({ clusters, temperature }) =>
      clusters === chosen.clusters && temperature === chosen.temperature,
  );
  if (grouping === undefined) throw new RangeError("Expected the chosen grouping");
  const one = new Float64Array(test.rows).fill(1);
  const predicted = (weights: Float64Array, membership: Float64Array = one, groups = 1) =>
    ensemblePrediction({
      probabilities: test.probabilities,
      prompts,
      membership,
      groups,
      weights,
    });
  const fitOf = (fitted: PromptWeights, membership: Float64Array = one): MethodFit => ({
    weights: rowsOf(fitted.weights, prompts),
    objective: fitted.objective,
    lambda: fitted.lambda,
    objectiveValue: fitted.objectiveValue,
    dualityGap: fitted.dualityGap,
    predictions: [predicted(fitted.weights, membership, fitted.groups)],
  });
  const fixed = (weights: Float64Array): MethodFit => ({
    objective: null,
    lambda: null,
    objectiveValue: null,
    dualityGap: null,
    weights: rowsOf(weights, prompts),
    predictions: [predicted(weights)],
  });
  const only = (prompt: number) =>
    Float64Array.from({ length: prompts }, (_, at) => (at === prompt ? 1 : 0));
  const answering = Array.from({ length: prompts }, (_, prompt) => prompt).filter((prompt) =>
    test.labels.some((_, row) => !Number.isNaN(test.probabilities[row * prompts + prompt])),
  );
  const best = bestPrompt(likelihoods);
  const mmb = promptWeights(
    { likelihoods, membership: grouping.membership, groups: grouping.clusters },
    chosen,
  );
  return {
    choice,
    grouping,
    likelihoods,
    bestPrompt: best,
    fits: {
      standard: {
        weights: null,
        objective: null,
        lambda: null,
        objectiveValue: null,
        dualityGap: null,
        predictions: answering.map((prompt) => predicted(only(prompt))),
      },
      best: fixed(only(best)),
      average: fixed(averageWeights(prompts)),
      bpe: fitOf(bayesianPromptEnsemble(likelihoods, chosen)),
      bpeEquation5: fitOf(bayesianPromptEnsemble(likelihoods, { objective: "global-entropy" })),
      mmb: fitOf(mmb, grouping.testMembership),
    },
  };
}

function rowsOf(weights: Float64Array, prompts: number): number[][] {
  return Array.from({ length: weights.length / prompts }, (_, group) => [
    ...weights.subarray(group * prompts, (group + 1) * prompts),
  ]);
}

/** Numbers of groups to try where none is given. */
const clustersTried = [1, 4, 8, 16] as const;
/** Temperatures to try where none is given. */
const temperaturesTried = [0.03, 0.1, 0.3] as const;
/** The fewest images for each group, where the number of groups is chosen. */
const fewestInGroup = 4;

/** Groups of images, and to which the labelled rows belong. */
interface EnsembleGrouping {
  readonly clusters: number;
  /** Null of one group, and where the membership was given. */
  readonly temperature: number | null;
  /** Memberships of the validation rows, rows x clusters. */
  readonly membership: Float64Array;
  /** Memberships of the test rows. */
  readonly testMembership: Float64Array;
  /** Null where nothing was clustered. */
  readonly clustering: Clustering | null;
}

/**
 * The ways to group images that are to be tried, from one group on: those given, or all of a short
 * list that the images are enough for.
 *
 * @throws RangeError where more clusters are wanted than there are embeddings.
 */
export function ensembleGroupings(
  data: EnsembleData,
  {
    clusters,
    temperature,
    restarts,
    seed,
  }: {
    readonly clusters: number | undefined;
    readonly temperature: number | undefined;
    readonly restarts: number;
    readonly seed: number;
  },
): EnsembleGrouping[] {
  const { validation, test, dimensions, groups } = data;
  if (validation.membership !== null && test.membership !== null) {
    const given = { membership: validation.membership, testMembership: test.membership };
    return [{ clusters: groups, temperature: null, clustering: null, ...given }];
  }
  const points = clusteredPoints(data);
  const images = dimensions === 0 ? 0 : points.length / dimensions;
  const counts =
    clusters === undefined
      ? clustersTried.filter((count) => count === 1 || count * fewestInGroup <= images)
      : [clusters];
  const temperatures = temperature === undefined ? temperaturesTried : [temperature];
  return counts.flatMap((count): EnsembleGrouping[] => {
    if (count === 1) return [oneGroup(data)];
    const random = randomFrom(seed, "spherical k-means", count);
    const clustering = sphericalKMeans({ points, dimensions, clusters: count, restarts, random });
    return temperatures.map((each) => {
      const of = (rows: Float64Array) =>
        softMembership({
          points: rows,
          dimensions,
          temperature: each,
          centroids: clustering.centroids,
        });
      return {
        clusters: count,
        temperature: each,
        clustering,
        membership: of(validation.points),
        testMembership: of(test.points),
      };
    });
  });
}

/** Rows to cluster: the support rows, where there are none the validation rows. */
function clusteredPoints({ support, validation }: EnsembleData): Float64Array {
  return support.length > 0 ? support : validation.points;
}

function oneGroup({ validation, test }: EnsembleData): EnsembleGrouping {
  return {
    clusters: 1,
    temperature: null,
    clustering: null,
    membership: new Float64Array(validation.rows).fill(1),
    testMembership: new Float64Array(test.rows).fill(1),
  };
}
