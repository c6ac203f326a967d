import type { Estimate } from "../stats/estimate.js";
import type { CellTable, TableCell } from "../tables/cell-table.js";

/** From what to what something goes; null where that is not known. */
export interface Range {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * What a cell holds, unrounded: its column says how it is printed. Null is undefined ("–"). A text is
 * printed as it is in whatever column: "" where there is nothing to say.
 */
export type Cell = string | number | null | Estimate | Range;

export interface ViewColumn {
  /** The header in files. */
  readonly id: string;
  readonly title: string;
  /**
   * How a cell is printed: a count as a whole number; a number with three significant figures, or with
   * `decimals`; a share (0 to 1) as percent with one decimal; p as a p-value.
   */
  readonly kind: "text" | "count" | "number" | "percent" | "p";
  /** What cells hold beside a value, or in its place: an interval (an `Estimate`), or a range alone. */
  readonly spread?: "interval" | "range";
  /** The headers of both ends in files, where they are not `idLow` and `idHigh`. */
  readonly ends?: readonly [low: string, high: string];
  /** Decimals of a number that is no estimate. */
  readonly decimals?: number;
  /** A narrow terminal leaves out others before it. */
  readonly isEssential?: boolean;
  /** A cell that is the one above is printed once. */
  readonly isGroup?: boolean;
}

export interface ViewTable {
  readonly title: string;
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** How to read it. */
  readonly note?: string;
  /** Stands beside the first table where a terminal leaves the details out. */
  readonly isHeadline?: boolean;
}

/** What is found, as data: a terminal, a page and a file each show it in their own way. */
export interface View {
  /** The verdict, in a sentence or two. */
  readonly verdict: string;
  /** Further findings, a sentence each; they stand below the verdict. */
  readonly findings?: readonly string[];
  readonly tables: readonly ViewTable[];
  /** Caveats, a sentence each. */
  readonly caveats: readonly string[];
  /** How its intervals or p-values were made, a sentence. */
  readonly method: string;
}

/** A view with the table that files hold, a row for each thing reported. */
export interface ViewWithData extends View {
  readonly data: Pick<ViewTable, "columns" | "rows">;
}

/** Two images for one text, and what a metric and people say of each. */
export interface ImagePair {
  /** Why this pair is shown. */
  readonly why: string;
  readonly text: string;
  readonly sides: readonly [first: ImageSide, second: ImageSide];
  readonly metric: string;
  /** Whether the metric has the two in people's order; null where people do not tell. */
  readonly isAsPeople: boolean | null;
}

export interface ImageSide {
  /** Who made it. */
  readonly name: string;
  /** Its file, as a table names it. */
  readonly image: string;
  readonly score: number;
  readonly human: number | null;
}

type Look = Partial<Omit<ViewColumn, "title" | "kind">>;

/** A column whose header in files is its title, if nothing else is said. */
const column = (title: string, kind: ViewColumn["kind"], look: Look = {}): ViewColumn => ({
  id: title,
  title,
  kind,
  ...look,
});

export const textColumn = (title: string, look?: Look) => column(title, "text", look);
export const countColumn = (title: string, look?: Look) => column(title, "count", look);
export const numberColumn = (title: string, look?: Look) => column(title, "number", look);
export const percentColumn = (title: string, look?: Look) => column(title, "percent", look);
export const probabilityColumn = (title: string, look?: Look) => column(title, "p", look);

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
