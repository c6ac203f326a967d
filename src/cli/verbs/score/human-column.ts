import { rating } from "../../../tables/columns.js";
import type { ScoreItem } from "./score-item.js";

const names = /^(human|people|rating)([_-]?(score|rating|judge?ment|mean))?$/i;

/**
 * The column of the table that, by its name and its numbers, holds what people said, of some items at
 * least.
 */
export function humanColumn(items: readonly ScoreItem[]): string | undefined {
  const columns = new Set(items.flatMap(({ others }) => Object.keys(others)));
  return [...columns].find((column) => {
    if (!names.test(column)) return false;
    const cells = items.map(({ others }) => ratingOf(others[column]));
    return cells.every((cell) => cell !== undefined) && cells.some((cell) => cell !== null);
  });
}

/** As verbs of `analyze` read it; undefined where they refuse it. */
function ratingOf(cell: unknown): number | null | undefined {
  if (cell === undefined) return undefined;
  const read = rating.read(cell, { isText: true });
  return "value" in read ? read.value : undefined;
}
