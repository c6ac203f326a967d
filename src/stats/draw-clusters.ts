import type { Random } from "../core/random.js";

/**
 * Draws as many clusters as there are, uniformly and with replacement.
 *
 * @param drawn of each cluster, how often it was drawn; written anew.
 */
export function drawClusters(random: Random, drawn: Float64Array): void {
  drawn.fill(0);
  random.tally(drawn.length, drawn);
}
