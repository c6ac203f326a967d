import { chooseWeights, type Grouping } from "../ensembles/choose-weights.js";
import { labelLikelihoods } from "../ensembles/label-likelihoods.js";
import { normaliseRows, softMembership } from "../ensembles/membership.js";
import type { Objective } from "../ensembles/weight-problem.js";
import type { AnswerRow, ExperimentAnswers } from "./ensemble-experiment-answers.js";
import { type ClusteringOptions, clustering, drawnLabels } from "./ensemble-experiment-draws.js";
import { chosenLabels, fitWeights } from "./ensemble-experiment-grid.js";

/** One kind of image as MMB groups it, and the prompts it weighs there. */
export interface ImageGroup {
  /** Pairs that were clustered into it. */
  readonly pairs: number;
  /** The sum of the labels' memberships: how many labels speak for it. */
  readonly support: number;
  /** Ids of the rows nearest to its centroid, the nearest first, each of another group of rows. */
  readonly nearest: readonly string[];
  /** The heaviest prompts, by their places in the table, and their shares. */
  readonly heaviest: readonly { readonly prompt: number; readonly weight: number }[];
}

/** The groups of one fit. */
export interface ImageGroups {
  readonly objective: Objective;
  readonly lambda: number;
  readonly labels: number;
  readonly prompts: number;
  /** The largest first. */
  readonly groups: readonly ImageGroup[];
}

export interface ImageGroupsOptions extends Omit<ClusteringOptions, "cluster"> {
  readonly labels: number;
  /** Objectives to choose from: the one that foresees left-out labels best is taken. */
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  /** How many of each there are at most; default: 6 pairs and 3 prompts. */
  readonly nearest?: number;
  readonly heaviest?: number;
}

/**
 * The groups of images of one fit of MMB (the first draw of labels and of images to cluster): the pairs
 * nearest to each centroid and the prompts with most weight, as figure 4 of Slyman et al. (2025) has it.
 *
 * @param rows those of which `answers` are made
 * @returns undefined where there are no embeddings, or fewer to cluster than groups.
 */
export function imageGroups(
  rows: readonly AnswerRow[],
  { pool, support, dimensions, prompts, promptNumbers }: ExperimentAnswers,
  options: ImageGroupsOptions,
): ImageGroups | undefined {
  const { clusters, temperature, objectives, lambda, nearest = 6, heaviest = 3 } = options;
  if (dimensions === 0 || support.length < clusters * dimensions) return undefined;
  const { centroids, assignment } = clustering(support, dimensions, { ...options, cluster: 0 });
  const chosen = drawnLabels(pool, { count: options.labels, labels: 0, seed: options.seed });
  const all = labelLikelihoods({
    labels: pool.labels,
    probabilities: pool.probabilities,
    prompts,
  });
  const likelihoods = chosenLabels(all, chosen);
  const points = new Float64Array(chosen.length * dimensions);
  chosen.forEach((row, at) => {
    points.set(pool.embeddings.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
  });
  const membership = softMembership({ points, centroids, dimensions, temperature });
  const grouping: Grouping = { clusters, temperature, membership };
  const { objective } = chooseWeights({
    likelihoods,
    groupings: [grouping],
    objectives,
    lambdas: [lambda],
  }).chosen;
  const weights = new Float64Array(clusters * prompts);
  fitWeights({ likelihoods, membership, groups: clusters }, { objective, lambda }, weights);

  const embedded = rows.filter(({ embedding }) => embedding?.length === dimensions);
  const unit = normaliseRows(
    Float64Array.from(embedded.flatMap(({ embedding }) => embedding ?? [])),
    dimensions,
  );
  const cosine = (row: number, group: number) => {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) {
      sum += (unit[row * dimensions + at] ?? 0) * (centroids[group * dimensions + at] ?? 0);
    }
    return sum;
  };
  const groups = Array.from({ length: clusters }, (_, group): ImageGroup => {
    const near = embedded
      .map((row, at) => ({ row, similarity: cosine(at, group) }))
      .sort((a, b) => b.similarity - a.similarity);
    const met = new Set<string>();
    const apart = near.filter(({ row: { group: of, id } }) => {
      const name = of ?? id;
      const isNew = !met.has(name);
      met.add(name);
      return isNew;
    });
    return {
      pairs: assignment.reduce((sum, at) => sum + (at === group ? 1 : 0), 0),
      support: membership.reduce((sum, each, at) => sum + (at % clusters === group ? each : 0), 0),
      nearest: apart.slice(0, nearest).map(({ row }) => row.id),
      heaviest: Array.from({ length: prompts }, (__, at) => ({
        prompt: promptNumbers[at] ?? at,
        weight: weights[group * prompts + at] ?? 0,
      }))
        .sort((a, b) => b.weight - a.weight)
        .slice(0, heaviest),
    };
  });
  return {
    objective,
    lambda,
    labels: chosen.length,
    prompts,
    groups: groups.sort((a, b) => b.pairs - a.pairs),
  };
}
