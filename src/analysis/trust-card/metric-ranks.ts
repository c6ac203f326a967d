import { ranked } from "../../stats/ranked.js";
import type { Direction } from "../pairs/pair-sums.js";

/**
 * The share of the others that a metric places below each, ties half, in [0, 1]; NaN where there is
 * no score or no other. Linear in scores.
 *
 * @param scores NaN where there is none
 * @example metricRanks(Float64Array.of(0.2, 0.9, Number.NaN), "higher") // [0, 1, NaN]
 */
export function metricRanks(scores: Float64Array, direction: Direction): Float64Array {
  const ranks = new Float64Array(scores.length).fill(Number.NaN);
  const given = Uint32Array.from(scores.keys()).filter((at) => !Number.isNaN(scores[at]));
  if (given.length < 2) return ranks;
  const { level, count } = ranked(Float64Array.from(given, (at) => scores[at] ?? 0));
  const twice = twiceBelow(count);
  const last = given.length - 1;
  for (const [place, at] of given.entries()) {
    const below = twice[level[place] ?? 0] ?? 0;
    ranks[at] = (direction === "higher" ? below : 2 * last - below) / (2 * last);
  }
  return ranks;
}

/** Twice how many lie below each level, half of its own others with them: whole, so that ties are exact. */
function twiceBelow(count: Float64Array): Float64Array {
  let below = 0;
  return count.map((own) => {
    const twice = 2 * below + own - 1;
    below += own;
    return twice;
  });
}
