import { square } from "../stats/elementary/powers.js";
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

/**
 * The cosines of one direction with several centroids, four of them at a time: one sum alone would wait
 * for itself. Each sum goes from the first dimension on.
 *
 * @param points rows x dimensions, each of length 1.
 * @param start where the direction begins among them.
 * @param centroids clusters x dimensions, each of length 1.
 * @param into one for each centroid, from `to` on.
 * @param which of the centroids; the others' places in `into` stay as they are.
 */
export function cosines(
  points: Float64Array,
  start: number,
  centroids: Float64Array,
  dimensions: number,
  into: Float64Array,
  to: number,
  which: Int32Array,
): void {
  const last = which.length - 1;
  for (let place = 0; place <= last; place += 4) {
    // The last of what is left over at the end is done more than once.
    const first = which[place] ?? 0;
    const second = which[Math.min(place + 1, last)] ?? 0;
    const third = which[Math.min(place + 2, last)] ?? 0;
    const fourth = which[Math.min(place + 3, last)] ?? 0;
    let a = first * dimensions;
    let b = second * dimensions;
    let c = third * dimensions;
    let d = fourth * dimensions;
    let ofFirst = 0;
    let ofSecond = 0;
    let ofThird = 0;
    let ofFourth = 0;
    for (let at = start; at < start + dimensions; at++) {
      const value = points[at] ?? 0;
      ofFirst += value * (centroids[a++] ?? 0);
      ofSecond += value * (centroids[b++] ?? 0);
      ofThird += value * (centroids[c++] ?? 0);
      ofFourth += value * (centroids[d++] ?? 0);
    }
    into[to + first] = ofFirst;
    into[to + second] = ofSecond;
    into[to + third] = ofThird;
    into[to + fourth] = ofFourth;
  }
}
