import type { Estimate } from "../stats/estimate.js";
import { countText, estimateText, fixedText, percentText, probabilityText } from "./number-text.js";
import { printable, printableLines } from "./printable.js";
import {
  type Cell,
  plainText,
  type Range,
  type View,
  type ViewColumn,
  type ViewTable,
} from "./view.js";

/** A view in words, with what would harm a terminal or mislead a reader shown in the open. */
export interface PrintedView {
  readonly verdict: string;
  readonly findings: readonly string[];
  readonly tables: readonly TextTable[];
  readonly caveats: readonly string[];
  readonly method: string;
}

/** Prints what a view holds. */
export function printed({ verdict, findings = [], tables, caveats, method }: View): PrintedView {
  return {
    verdict: printableLines(verdict),
    findings: findings.map(printableLines),
    tables: tables.map((table) => {
      const { title, columns, rows, note, ...rest } = printedTable(table);
      return {
        ...rest,
        title: printable(title),
        columns: columns.map((one) => ({ ...one, title: printable(one.title) })),
        rows: rows.map((row) => row.map(printable)),
        note: printableLines(note),
      };
    }),
    caveats: caveats.map(printableLines),
    method: printableLines(method),
  };
}

/** Prints a table's cells, each by the kind of its column. */
export function printedTable({ columns, rows, note = "", ...rest }: ViewTable): TextTable {
  return {
    ...rest,
    note,
    columns: columns.map(
      ({ title, kind, isEssential, heading }): TextColumn => ({
        title,
        ...(heading !== undefined && { group: heading }),
        ...(kind === "text" ? {} : { align: "right" }),
        ...(isEssential && { isEssential }),
      }),
    ),
    rows: rows.map((row, at) =>
      columns.map((one, place) => {
        const above = rows[at - 1];
        const isSame = above !== undefined && isSameCell(row[place], above[place], one);
        return one.isGroup && isSame ? "" : cellText(row[place] ?? null, one);
      }),
    ),
  };
}

/** Words with a look are one cell where they are the same object: namesakes are not. */
const isSameCell = (
  cell: Cell | undefined,
  above: Cell | undefined,
  column: ViewColumn,
): boolean =>
  typeof cell === "object" && cell !== null && "words" in cell
    ? cell === above
    : cellText(cell ?? null, column) === cellText(above ?? null, column);

/** @example cellText({ value: 0.5, low: 0.4, high: 0.6 }, percentColumn("share")) // "50.0 [40.0, 60.0]" */
export function cellText(cell: Cell, { kind, decimals }: Omit<ViewColumn, "id" | "title">): string {
  if (cell === null) return "–";
  if (typeof cell === "string" || (typeof cell === "object" && "words" in cell))
    return plainText(cell);
  const text = (value: number | null) => {
    if (typeof value === "number" && decimals !== undefined) return fixedText(value, decimals);
    return printers[kind]({ value, low: null, high: null });
  };
  if (typeof cell === "number") return text(cell);
  if (isEstimate(cell)) return printers[kind](cell);
  const { low, high } = cell;
  return low === null || high === null ? "–" : `${text(low)} to ${text(high)}`;
}

const isEstimate = (cell: Estimate | Range): cell is Estimate => "value" in cell;

const printers: Readonly<Record<ViewColumn["kind"], (estimate: Estimate) => string>> = {
  text: estimateText,
  number: estimateText,
  percent: percentText,
  count: ({ value }) => (value === null ? "–" : countText(value)),
  p: ({ value }) => probabilityText(value),
};

export interface TextColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
  /** A narrow terminal leaves out others before it. */
  readonly isEssential?: boolean;
}

/** A table as it is printed: for a terminal, Markdown or HTML. */
export interface TextTable {
  readonly title: string;
  readonly columns: readonly TextColumn[];
  /** A first cell that is empty stands for the one above it. */
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly note: string;
  /** Stands beside the first table where a terminal leaves the details out. */
  readonly isHeadline?: boolean;
}

/** Columns of numbers, which end at the right. */
export const numberColumns = (
  ...titles: readonly string[]
): readonly { readonly title: string; readonly align: "right" }[] =>
  titles.map((title) => ({ title, align: "right" }));
