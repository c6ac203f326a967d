import { chooseWeights, type Grouping } from "touchstone-t2i/internal/ensembles/choose-weights.js";
import { labelLikelihoods } from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import { normaliseRows, softMembership } from "touchstone-t2i/internal/ensembles/membership.js";
import type { Objective } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import type { AnswerRow, ExperimentAnswers } from "./answers.js";
import { type ClusteringOptions, clustering, drawnLabels } from "./draws.js";
import { chosenLabels, fitWeights } from "./grid.js";

/** One group of images of a fit of MMB, with its heaviest prompts. */
export interface ImageGroup {
  /** Number of clustered pairs in it. */
  readonly pairs: number;
  /** Sum of the memberships of labelled pairs. */
  readonly support: number;
  /** Ids of the rows nearest to its centroid, nearest first, at most one from each group of rows. */
  readonly nearest: readonly string[];
  /** The heaviest prompts (positions in the table) with their weights. */
  readonly heaviest: readonly { readonly prompt: number; readonly weight: number }[];
}

/** All groups of one fit. */
export interface ImageGroups {
  readonly objective: Objective;
  readonly lambda: number;
  readonly labels: number;
  readonly prompts: number;
  /** Largest first. */
  readonly groups: readonly ImageGroup[];
}

export interface ImageGroupsOptions extends Omit<ClusteringOptions, "cluster"> {
  readonly labels: number;
  /** Objectives to choose from, by leave-one-out likelihood. */
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  /** Most pairs a group; default: 6. */
  readonly nearest?: number;
  /** Most prompts a group; default: 3. */
  readonly heaviest?: number;
}

/**
 * Describes the groups of one fit of MMB (first draw of labels, first clustering): the pairs nearest to
 * each centroid and the heaviest prompts, as in figure 4 of Slyman et al. (2025).
 *
 * @param rows the rows that `answers` was made from.
 * @returns undefined without embeddings, or with fewer pairs to cluster than groups.
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
