import type { CellTable, TableCell } from "../tables/cell-table.js";
import type { Cell, ViewColumn, ViewTable } from "./view.js";

/**
 * A table as files hold it, unrounded: an estimate takes the columns `id`, `idLow` and `idHigh`, a range
 * the latter two.
 */
export const dataCells = ({ columns, rows }: Pick<ViewTable, "columns" | "rows">): CellTable => ({
  columns: columns.flatMap(headersOf),
  rows: rows.map((row) => columns.flatMap((column, at) => cellsOf(row[at] ?? null, column))),
});

function headersOf({ id, spread, ends = [`${id}Low`, `${id}High`] }: ViewColumn): string[] {
  if (spread === undefined) return [id];
  return spread === "range" ? [...ends] : [id, ...ends];
}

function cellsOf(cell: Cell, { spread }: ViewColumn): TableCell[] {
  const { value, low, high } = isPlain(cell)
    ? { value: cell, low: null, high: null }
    : { value: null, ...cell };
  if (spread === undefined) return [value];
  return spread === "range" ? [low, high] : [value, low, high];
}

const isPlain = (cell: Cell): cell is string | number | null =>
  cell === null || typeof cell !== "object";
