import type { ScoreItem } from "./score-item.js";

const names = /^(human|people|rating)([_-]?(score|rating|judge?ment|mean))?$/i;

/** The column of the table that, by its name and its numbers, holds what people said. */
export function humanColumn(items: readonly ScoreItem[]): string | undefined {
  const columns = new Set(items.flatMap(({ others }) => Object.keys(others)));
  return [...columns].find(
    (column) => names.test(column) && items.every(({ others }) => isNumber(others[column])),
  );
}

const isNumber = (cell: unknown) =>
  typeof cell === "number" ||
  (typeof cell === "string" && cell.trim() !== "" && Number.isFinite(Number(cell)));
