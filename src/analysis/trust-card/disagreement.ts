import { largestOf, smallestOf } from "../../core/arrays.js";
import type { Direction } from "../pairs/pair-sums.js";
import { metricRanks } from "./metric-ranks.js";

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
