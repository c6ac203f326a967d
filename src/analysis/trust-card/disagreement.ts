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
   * Of each metric, the share of the ranked images that it places below this one, ties half: 0 to 1;
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
      rows.map(({ scores }) => scores[at] ?? null),
      direction,
    ),
  );
  const found = rows.flatMap(({ id, prompt }, row): Disagreement[] => {
    const own = ranks.map((column) => column[row] ?? null);
    const given = own.filter((rank) => rank !== null);
    if (given.length < 2) return [];
    const [high, low] = [Math.max(...given), Math.min(...given)];
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

/**
 * The share of the others that a metric places below each, ties half, in [0, 1]; null where there is
 * no score or no other.
 *
 * @example metricRanks([0.2, 0.9, null], "higher") // [0, 1, null]
 */
export function metricRanks(
  scores: readonly (number | null)[],
  direction: Direction,
): (number | null)[] {
  const given = Float64Array.from(scores.filter((score) => score !== null)).sort();
  if (given.length < 2) return scores.map(() => null);
  const last = given.length - 1;
  return scores.map((score) => {
    if (score === null) return null;
    // Whole numbers, so that ranks that are equal are so to the last digit.
    const twice =
      firstWhere(given, (one) => one >= score) + firstWhere(given, (one) => one > score) - 1;
    return (direction === "higher" ? twice : 2 * last - twice) / (2 * last);
  });
}

/** The place of the first number in rising order for which something holds; their count where it never does. */
function firstWhere(sorted: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] ?? Number.NaN)) high = middle;
    else low = middle + 1;
  }
  return low;
}
