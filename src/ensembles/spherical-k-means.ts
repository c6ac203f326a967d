import type { Random } from "../core/random.js";
import { cosines, normaliseRows } from "./membership.js";

/** Groups of directions. */
export interface Clustering {
  /** clusters x dimensions, flat, each of length 1. */
  readonly centroids: Float64Array;
  /** The cluster of each point. */
  readonly assignment: Int32Array;
  /** The mean cosine of points and their centroids, at most 1. */
  readonly cohesion: number;
  /** Iterations of the best start. */
  readonly iterations: number;
  /** Whether the best start came to rest before the last iteration. */
  readonly converged: boolean;
  /** How often a cluster without a point was given one, over all starts. */
  readonly repaired: number;
}

/**
 * Groups points by direction: spherical k-means (Dhillon and Modha, "Concept Decompositions for Large
 * Sparse Text Data Using Clustering", 2001), started by k-means++ (Arthur and Vassilvitskii, 2007) on
 * 1 - cosine, several times; the start with the highest cohesion wins. A cluster that loses all its
 * points is given the one that its own centroid fits worst.
 *
 * @param options.points rows x dimensions, flat, of any length each; those without a direction fit
 *   every centroid alike.
 * @param options.random draws the starts; the same stream gives the same groups.
 * @throws RangeError where there are fewer points than clusters.
 */
export function sphericalKMeans({
  points,
  dimensions,
  clusters,
  restarts = 3,
  iterations = 1000,
  random,
}: {
  readonly points: Float64Array;
  readonly dimensions: number;
  readonly clusters: number;
  readonly restarts?: number;
  readonly iterations?: number;
  readonly random: Random;
}): Clustering {
  const rows = points.length / dimensions;
  if (!(clusters >= 1 && clusters <= rows)) {
    throw new RangeError(
      `Expected from 1 to ${rows} clusters of ${rows} points but received ${clusters}`,
    );
  }
  const unit = normaliseRows(Float64Array.from(points), dimensions);
  let best: Clustering | undefined;
  let repaired = 0;
  for (let start = 0; start < Math.max(1, restarts); start++) {
    const centroids = spreadStart({ unit, rows, dimensions, clusters, random });
    const found = settle({ unit, rows, dimensions, clusters, iterations, centroids });
    repaired += found.repaired;
    if (best === undefined || found.cohesion > best.cohesion) best = found;
  }
  if (best === undefined) throw new RangeError("Expected a start");
  return { ...best, repaired };
}

interface Unit {
  /** Points of length 1. */
  readonly unit: Float64Array;
  readonly rows: number;
  readonly dimensions: number;
  readonly clusters: number;
}

/** k-means++: each next centroid is a point drawn by how far it lies from those chosen. */
function spreadStart({
  unit,
  rows,
  dimensions,
  clusters,
  random,
}: Unit & { readonly random: Random }): Float64Array {
  const centroids = new Float64Array(clusters * dimensions);
  const distance = new Float64Array(rows).fill(1);
  for (let cluster = 0; cluster < clusters; cluster++) {
    const chosen = drawByWeight(distance, random);
    const start = cluster * dimensions;
    centroids.set(unit.subarray(chosen * dimensions, (chosen + 1) * dimensions), start);
    for (let row = 0; row < rows; row++) {
      const apart = Math.max(0, 1 - cosineOf(unit, row * dimensions, centroids, start, dimensions));
      distance[row] = cluster === 0 ? apart : Math.min(distance[row] ?? 0, apart);
    }
    distance[chosen] = 0;
  }
  return centroids;
}

/** An index, as often as its weight says; any where all weigh nothing. */
function drawByWeight(weights: Float64Array, random: Random): number {
  let total = 0;
  for (const weight of weights) total += weight;
  if (total === 0) return random.integer(weights.length);
  let left = random.next() * total;
  let last = 0;
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight === 0) continue;
    last = at;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}

/** Assigns points and moves centroids in turns until nothing changes. */
function settle({
  unit,
  rows,
  dimensions,
  clusters,
  iterations,
  centroids,
}: Unit & { readonly iterations: number; readonly centroids: Float64Array }): Clustering {
  const assignment = new Int32Array(rows).fill(-1);
  const cosine = new Float64Array(rows);
  /** rows x clusters. */
  const near = new Float64Array(rows * clusters);
  let moved: Int32Array = Int32Array.from({ length: clusters }, (_, cluster) => cluster);
  const sizes = new Int32Array(clusters);
  const isDirected = Uint8Array.from({ length: rows }, (_, row) => {
    const point = unit.subarray(row * dimensions, (row + 1) * dimensions);
    return point.some((value) => value !== 0) ? 1 : 0;
  });
  let repaired = 0;
  let converged = false;
  let iteration = 0;
  let cohesion = 0;
  while (iteration < iterations && !converged) {
    iteration += 1;
    converged = true;
    cohesion = 0;
    sizes.fill(0);
    for (let row = 0; row < rows; row++) {
      const first = row * clusters;
      cosines(unit, row * dimensions, centroids, dimensions, near, first, moved);
      let nearest = 0;
      let most = near[first] ?? 0;
      for (let cluster = 1; cluster < clusters; cluster++) {
        const cosineThere = near[first + cluster] ?? 0;
        if (cosineThere > most) {
          most = cosineThere;
          nearest = cluster;
        }
      }
      cosine[row] = most;
      cohesion += most / rows;
      sizes[nearest] = (sizes[nearest] ?? 0) + 1;
      if (assignment[row] === nearest) continue;
      assignment[row] = nearest;
      converged = false;
    }
    const filled = repairEmpty({ assignment, cosine, sizes, isDirected });
    repaired += filled;
    if (filled > 0) converged = false;
    if (!converged)
      moved = moveCentroids({ unit, rows, dimensions, clusters, assignment, centroids });
  }
  return { centroids, assignment, cohesion, iterations: iteration, converged, repaired };
}

/** Gives each empty cluster the worst-fitting point of a cluster that has others; how many it gave. */
function repairEmpty({
  assignment,
  cosine,
  sizes,
  isDirected,
}: {
  readonly assignment: Int32Array;
  readonly cosine: Float64Array;
  readonly sizes: Int32Array;
  /** 0 for a point without a direction, which no centroid could be made of. */
  readonly isDirected: Uint8Array;
}): number {
  let filled = 0;
  for (let cluster = 0; cluster < sizes.length; cluster++) {
    if (sizes[cluster] !== 0) continue;
    let worst = -1;
    for (let row = 0; row < assignment.length; row++) {
      if (isDirected[row] === 0 || (sizes[assignment[row] ?? 0] ?? 0) < 2) continue;
      if (worst < 0 || (cosine[row] ?? 0) < (cosine[worst] ?? 0)) worst = row;
    }
    // Where all that is left are equal points, one cluster more would never come to rest.
    if (worst < 0 || (cosine[worst] ?? 0) > 1 - 1e-12) break;
    const from = assignment[worst] ?? 0;
    sizes[from] = (sizes[from] ?? 0) - 1;
    sizes[cluster] = 1;
    assignment[worst] = cluster;
    cosine[worst] = 1;
    filled += 1;
  }
  return filled;
}

/**
 * Each centroid becomes the mean direction of its points; one without stays where it is.
 *
 * @returns those that are no longer where they were.
 */
function moveCentroids({
  unit,
  rows,
  dimensions,
  clusters,
  assignment,
  centroids,
}: Unit & { readonly assignment: Int32Array; readonly centroids: Float64Array }): Int32Array {
  const sums = new Float64Array(clusters * dimensions);
  for (let row = 0; row < rows; row++) {
    const start = (assignment[row] ?? 0) * dimensions;
    for (let at = 0; at < dimensions; at++) {
      sums[start + at] = (sums[start + at] ?? 0) + (unit[row * dimensions + at] ?? 0);
    }
  }
  normaliseRows(sums, dimensions);
  const moved: number[] = [];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const start = cluster * dimensions;
    const mean = sums.subarray(start, start + dimensions);
    if (mean.every((value) => value === 0)) continue;
    if (mean.every((value, at) => value === centroids[start + at])) continue;
    centroids.set(mean, start);
    moved.push(cluster);
  }
  return Int32Array.from(moved);
}

function cosineOf(
  one: Float64Array,
  oneStart: number,
  other: Float64Array,
  otherStart: number,
  dimensions: number,
): number {
  let sum = 0;
  for (let at = 0; at < dimensions; at++) {
    sum += (one[oneStart + at] ?? 0) * (other[otherStart + at] ?? 0);
  }
  return sum;
}
