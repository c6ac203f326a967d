import type { Random } from "../core/random.js";

/**
 * Draws as many clusters as there are, uniformly and with replacement.
 *
 * @param drawn of each cluster, how often it was drawn; written anew.
 * @param ones where the clusters are put as they are drawn; who draws often keeps it.
 */
export function drawClusters(
  random: Random,
  drawn: Float64Array,
  ones: Uint32Array = new Uint32Array(drawn.length),
): void {
  random.integers(drawn.length, ones);
  drawn.fill(0);
  for (let draw = 0; draw < ones.length; draw++) {
    const one = ones[draw] ?? 0;
    drawn[one] = (drawn[one] ?? 0) + 1;
  }
}
