import { square } from "../stats/elementary/powers.js";
import { cosines } from "./cosines.js";
import { softmaxInPlace } from "./softmax.js";

/**
 * The length of each row made 1, in place; a row without a direction (all 0) stays as it is.
 *
 * @param points rows x dimensions, flat.
 */
export function normaliseRows(points: Float64Array, dimensions: number): Float64Array {
  for (let start = 0; start < points.length; start += dimensions) {
    let largest = 0;
    for (let at = start; at < start + dimensions; at++) {
      largest = Math.max(largest, Math.abs(points[at] ?? 0));
    }
    if (largest === 0) continue;
    // Divided by the largest first, no square is beyond what a number holds.
    let squares = 0;
    for (let at = start; at < start + dimensions; at++)
      squares += square((points[at] ?? 0) / largest);
    const length = largest * Math.sqrt(squares);
    for (let at = start; at < start + dimensions; at++) points[at] = (points[at] ?? 0) / length;
  }
  return points;
}

/**
 * Embedding of a pair of images where groups are asked for: the mean of both embeddings, each of
 * length 1, again of length 1. Which image comes first changes nothing. Of opposite ones it is all 0.
 *
 * @throws RangeError where the two differ in length.
 */
export function pairEmbedding(first: ArrayLike<number>, second: ArrayLike<number>): Float64Array {
  if (first.length !== second.length) {
    throw new RangeError(
      `Expected embeddings of one length but received ${first.length} and ${second.length} numbers`,
    );
  }
  const one = normaliseRows(Float64Array.from(first), first.length);
  const other = normaliseRows(Float64Array.from(second), second.length);
  const sum = one.map((value, at) => value + (other[at] ?? 0));
  return normaliseRows(sum, sum.length);
}

/**
 * To which group an image belongs, softly: p(z | x) = softmax_z(cos(x, centroid_z) / temperature).
 * An embedding without a direction belongs to all alike. Slyman et al. (2025), equation 6, in the
 * form of a softmax.
 *
 * @param options.points rows x dimensions, flat, of any length each.
 * @param options.centroids groups x dimensions, each of length 1.
 * @param options.temperature positive; the smaller, the harder.
 * @returns rows x groups; each row adds up to 1.
 */
export function softMembership({
  points,
  centroids,
  dimensions,
  temperature,
}: {
  readonly points: Float64Array;
  readonly centroids: Float64Array;
  readonly dimensions: number;
  readonly temperature: number;
}): Float64Array {
  if (!(temperature > 0)) {
    throw new RangeError(`Expected a positive number for temperature but received ${temperature}`);
  }
  const rows = points.length / dimensions;
  const groups = centroids.length / dimensions;
  const membership = new Float64Array(rows * groups);
  const unit = normaliseRows(Float64Array.from(points), dimensions);
  const all = Int32Array.from({ length: groups }, (_, group) => group);
  for (let row = 0; row < rows; row++) {
    const start = row * groups;
    cosines(unit, row * dimensions, centroids, dimensions, membership, start, all);
    for (let at = start; at < start + groups; at++) {
      membership[at] = (membership[at] ?? 0) / temperature;
    }
    softmaxInPlace(membership, start, groups);
  }
  return membership;
}
