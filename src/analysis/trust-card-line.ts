import { listText } from "../core/list-text.js";
import type { Estimate } from "../stats/estimate.js";
import type {
  Behind,
  CardFigure,
  CardSubject,
  FigureEstimate,
  FigureUnit,
} from "./trust-card-figure.js";
import type { CardRow } from "./trust-card-rows.js";

/** What is the same of a figure whether it was measured or not. */
export type FigureHead = Pick<CardFigure, "id" | "title" | "of">;

/** A figure that could not be made, with the columns that it needs. */
export function missing(
  head: FigureHead,
  { source }: CardSubject,
  needs: readonly string[],
): CardFigure {
  return {
    ...head,
    status: "not-measured",
    sentence: `Needs ${needs.length === 1 ? "the column" : "the columns"} ${listText(needs)}.`,
    ...{ n: 0, unscored: 0, further: {}, needs },
    behind: { source, rows: 0, examples: [] },
  };
}

/** The rows that a figure stands on. */
export function behind({ source }: CardSubject, rows: readonly CardRow[]): Behind {
  return { source, rows: rows.length, examples: rows.slice(0, 3).map(({ id }) => id) };
}

export const named = (estimate: Estimate, name: string, unit: FigureUnit): FigureEstimate => ({
  name,
  unit,
  ...estimate,
});
