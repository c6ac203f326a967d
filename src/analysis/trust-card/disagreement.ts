import { largestOf, smallestOf } from "../../core/arrays.js";
import { ranked } from "../../stats/ranked.js";
import type { Direction } from "../pairs/pair-sums.js";

/** One image and what each metric (or the truth) says of it against one text; null where nothing. */
export interface DisagreementRow {
  readonly id: string;
  readonly prompt: string;
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
}

export interface RankedMetric {
  readonly name: string;
  readonly direction: Direction;
}

/** An image on which two metrics disagree most. */
export interface Disagreement {
  readonly id: string;
  readonly prompt: string;
  /**
   * Share of the ranked images that each metric places below this one, ties half: 0 to 1;
   * null where it gave no score.
   */
  readonly ranks: readonly (number | null)[];
  /** The place of the metric that ranks it highest, and of the one that ranks it lowest. */
  readonly highest: number;
  readonly lowest: number;
  /** The difference of their ranks, in [0, 1]. */
  readonly spread: number;
}

/**
 * The images on which metrics disagree most: their scores have no common scale, so each metric ranks
 * all images of the run that it scored, the better the higher, and what counts is how far apart the
 * ranks of one image lie. Of one prompt at most one image is taken. Ties go to the smaller id, so the
 * order of the rows changes nothing.
 *
 * @param options.most how many at most
 * @example disagreements(rows, { metrics: [{ name: "a", direction: "higher" }, …], most: 12 })
 */
export function disagreements(
  rows: readonly DisagreementRow[],
  { metrics, most }: { readonly metrics: readonly RankedMetric[]; readonly most: number },
): Disagreement[] {
  const ranks = metrics.map(({ direction }, at) =>
    metricRanks(
      Float64Array.from(rows, ({ scores }) => scores[at] ?? Number.NaN),
      direction,
    ),
  );
  const found = rows.flatMap(({ id, prompt }, row): Disagreement[] => {
    const own = ranks.map((column) => rankOf(column[row]));
    const given = own.filter((rank) => rank !== null);
    if (given.length < 2) return [];
    const [high, low] = [largestOf(given), smallestOf(given)];
    return [
      {
        id,
        prompt,
        ranks: own,
        highest: own.indexOf(high),
        lowest: own.indexOf(low),
        spread: high - low,
      },
    ];
  });
  found.sort((a, b) => b.spread - a.spread || (a.id < b.id ? -1 : 1));
  const prompts = new Set<string>();
  return found
    .filter(({ prompt, spread }) => {
      if (spread === 0 || prompts.has(prompt)) return false;
      prompts.add(prompt);
      return true;
    })
    .slice(0, most);
}

const rankOf = (rank = Number.NaN): number | null => (Number.isNaN(rank) ? null : rank);

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
