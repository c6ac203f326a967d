import {
  type CardFigure,
  type FigureEstimate,
  type FigureId,
  judgedEstimate,
} from "../../analysis/trust-card/trust-card-figure.js";
import { largestOf, smallestOf } from "../../core/arrays.js";

/** `best` or `worst` of a row of cards; `isClear` where its interval meets no other's. */
export interface FigureRank {
  readonly rank: "best" | "worst";
  readonly isClear: boolean;
}

/**
 * Which of several cards' figures lies best and which worst, by the direction of what is expected; of a
 * figure without an expectation only less time and money are better. Null for all else, for ties, for
 * figures that stand alone, and in place of best where a figure fails: the least biased of biased metrics is
 * no best one.
 */
export function figureRanks(figures: readonly (CardFigure | undefined)[]): (FigureRank | null)[] {
  const losses = figures.map((figure) => (figure === undefined ? null : lossOf(figure)));
  const known = losses.filter((loss) => loss !== null);
  const [least, most] = [smallestOf(known), largestOf(known)];
  if (known.length < 2 || least === most) return figures.map(() => null);
  return losses.map((loss, at) => {
    if (loss !== least && loss !== most) return null;
    if (losses.filter((one) => one === loss).length > 1) return null;
    const own = figures[at];
    if (loss === least && own?.status === "fails") return null;
    const isClear = figures.every(
      (other, place) => place === at || other === undefined || !meet(own, other),
    );
    return { rank: loss === least ? "best" : "worst", isClear };
  });
}

/**
 * Ranks cards by one of their figures, as `figureRanks` does. Where the typical image is the right one, a metric's
 * liking for typical images wins: one whose prototypicality effect fails is best of no reversed conflict.
 */
export const cardRanks = (
  cards: readonly Partial<Readonly<Record<FigureId, CardFigure>>>[],
  id: FigureId,
): (FigureRank | null)[] =>
  figureRanks(cards.map((card) => card[id])).map((rank, at) =>
    id === "reversedConflict" &&
    rank?.rank === "best" &&
    cards[at]?.prototypicality?.status === "fails"
      ? null
      : rank,
  );

/** Less is better; null where nobody knows which way is. */
function lossOf(figure: CardFigure): number | null {
  const estimate = judgedEstimate(figure);
  const value = estimate?.value ?? null;
  if (estimate === undefined || value === null) return null;
  const { low, high } = figure.expectation ?? {};
  if (low !== undefined && high !== undefined) return Math.abs(value - (low + high) / 2);
  if (high !== undefined) return value;
  if (low !== undefined) return -value;
  return estimate.unit === "seconds" || estimate.unit === "dollars" ? value : null;
}

/** Whether two intervals have a point in common; one without ends tells nothing, so it may. */
function meet(one: CardFigure | undefined, other: CardFigure): boolean {
  const [a, b] = [ends(one && judgedEstimate(one)), ends(judgedEstimate(other))];
  return a === null || b === null || (a.low <= b.high && b.low <= a.high);
}

function ends(estimate: FigureEstimate | undefined) {
  const low = estimate?.oneSided?.low ?? estimate?.low ?? null;
  const high = estimate?.oneSided?.high ?? estimate?.high ?? null;
  return low === null || high === null ? null : { low, high };
}
