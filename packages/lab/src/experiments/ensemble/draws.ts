import { append } from "touchstone-t2i/internal/core/arrays.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { softMembership } from "touchstone-t2i/internal/ensembles/membership.js";
import { sphericalKMeans } from "touchstone-t2i/internal/ensembles/spherical-k-means.js";
import type { ExperimentAnswers, PromptAnswers } from "./answers.js";

/** Returns the prompts that a training seed draws, in ascending order. */
export function drawnPrompts(
  prompts: number,
  {
    count,
    training,
    seed,
  }: { readonly count: number; readonly training: number; readonly seed: number },
): Int32Array {
  const all = Array.from({ length: prompts }, (_, prompt) => prompt);
  const drawn = randomFrom(seed, "ensemble experiment", "prompts", training).shuffle(all);
  return Int32Array.from(drawn.slice(0, count)).sort();
}

/**
 * Returns the rows of a pool that a label seed draws: one row a group, so that labels are independent;
 * a second row of a group only after all groups have one. A larger draw begins with the smaller one.
 */
export function drawnLabels(
  { group, groups }: Pick<PromptAnswers, "group" | "groups">,
  {
    count,
    labels,
    seed,
  }: { readonly count: number; readonly labels: number; readonly seed: number },
): Int32Array {
  const random = randomFrom(seed, "ensemble experiment", "labels", labels);
  const rowsOf: number[][] = Array.from({ length: groups }, () => []);
  group.forEach((name, row) => {
    rowsOf[name]?.push(row);
  });
  const drawn: number[] = [];
  while (drawn.length < count && drawn.length < group.length) {
    for (const rows of random.shuffle(rowsOf.filter((some) => some.length > 0))) {
      const at = random.integer(rows.length);
      append(drawn, rows.splice(at, 1));
    }
  }
  return Int32Array.from(drawn.slice(0, count));
}

/** Memberships of pairs in the groups of one clustering. */
export interface GroupedPairs {
  readonly clusters: number;
  /** rows x clusters. */
  readonly test: Float64Array;
  readonly pool: Float64Array;
}

export interface ClusteringOptions {
  readonly clusters: number;
  /** Number of the draw of unlabelled pairs. */
  readonly cluster: number;
  readonly seed: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly temperature: number;
}

/** Clusters a draw of unlabelled pairs; returns the soft memberships of test and pool. */
export function groupedPairs(
  {
    test,
    pool,
    support,
    dimensions,
  }: Pick<ExperimentAnswers, "support" | "dimensions"> & {
    readonly test: PromptAnswers;
    readonly pool: PromptAnswers;
  },
  options: ClusteringOptions,
): GroupedPairs {
  const { clusters, temperature } = options;
  const rows = (some: PromptAnswers) => some.group.length;
  if (clusters === 1 || dimensions === 0) {
    const ones = (some: PromptAnswers) => new Float64Array(rows(some)).fill(1);
    return { clusters: 1, test: ones(test), pool: ones(pool) };
  }
  const { centroids } = clustering(support, dimensions, options);
  const member = (some: PromptAnswers) =>
    softMembership({ points: some.embeddings, centroids, dimensions, temperature });
  return { clusters, test: member(test), pool: member(pool) };
}

/** @returns the centroids, the rows drawn from `support`, and the cluster of each drawn row. */
export function clustering(
  support: Float64Array,
  dimensions: number,
  { clusters, cluster, seed, supportPerCluster, restarts, iterations }: ClusteringOptions,
): {
  readonly centroids: Float64Array;
  readonly rows: Int32Array;
  readonly assignment: Int32Array;
} {
  const random = randomFrom(seed, "ensemble experiment", "support", cluster, clusters);
  const all = Array.from({ length: support.length / dimensions }, (_, row) => row);
  const rows = Int32Array.from(random.shuffle(all).slice(0, supportPerCluster * clusters));
  const points = new Float64Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    points.set(support.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
  });
  const { centroids, assignment } = sphericalKMeans({
    points,
    dimensions,
    clusters: Math.min(clusters, rows.length),
    restarts,
    iterations,
    random,
  });
  return { centroids, rows, assignment };
}
