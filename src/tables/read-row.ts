import { blankRow, setOwn } from "./blank-row.js";
import type { Cell, ColumnKind, ColumnKinds, RowOf } from "./columns.js";
import { quoted } from "./format.js";
import type { WantedColumn } from "./header.js";
import { cellAt } from "./nested-value.js";

/** How the rows of a table are read. */
export interface RowReading {
  readonly columns: readonly WantedColumn[];
  /** A row with all targets. */
  readonly blank: Readonly<Record<string, unknown>>;
  readonly noAnswer: ReadonlySet<string>;
}

export function rowReading(
  wanted: readonly WantedColumn[],
  noAnswer: ReadonlySet<string>,
): RowReading {
  return {
    columns: wanted,
    blank: blankRow(wanted.map(({ target }) => target)),
    noAnswer,
  };
}

/** Cell that its column's kind can't read. */
export interface BadCell {
  readonly column: string;
  /** Such as "a number or nothing". */
  readonly expected: string;
  /** Such as "received nothing". */
  readonly found: string;
  /** The text, where it is a number as text in a format that has numbers. */
  readonly text?: string;
}

/** The columns that were asked for of one row, each read by its kind, and what is wrong with them. */
export function readRow<Kinds extends ColumnKinds>(
  values: Readonly<Record<string, unknown>>,
  { columns, blank, noAnswer }: RowReading,
  about: { readonly isText: boolean; readonly seen: Set<string> },
): { row: RowOf<Kinds>; bad: BadCell[] } {
  const bad: BadCell[] = [];
  const row = { ...blank };
  for (const { target, column, kind, mayLeadOn } of columns) {
    const found = mayLeadOn ? cellAt(values, column) : undefined;
    const isThere = found !== undefined || Object.hasOwn(values, column);
    if (mayLeadOn && isThere) about.seen.add(column);
    const value = found !== undefined ? found.value : isThere ? values[column] : undefined;
    const cell = readCell(kind, value, about, noAnswer);
    if ("value" in cell) setOwn(row, target, cell.value);
    else if (!isThere) {
      bad.push({ column, expected: cell.expected, found: "the row has no such member" });
    } else {
      const text = quoted(value);
      const isNumber = !about.isText && "value" in kind.read(value, { isText: true });
      const { expected } = cell;
      bad.push({ column, expected, found: `received ${text}`, ...(isNumber ? { text } : {}) });
    }
  }
  // Every column was read by its own kind; where one failed the row is not used.
  return { row: row as RowOf<Kinds>, bad };
}

/** A word for no answer is one only where there may be none: a metric may be called "tie". */
export function readCell(
  kind: ColumnKind<unknown>,
  value: unknown,
  about: { readonly isText: boolean },
  noAnswer: ReadonlySet<string>,
): Cell<unknown> {
  if (isNoAnswer(value, noAnswer)) {
    const nothing = kind.read(null, about);
    if ("value" in nothing) return nothing;
  }
  return kind.read(value, about);
}

const isNoAnswer = (value: unknown, words: ReadonlySet<string>) =>
  words.size > 0 &&
  (typeof value === "string" || typeof value === "number") &&
  words.has(String(value).trim());

/** The cells of a row, null in place of words that mean no answer. */
export function withoutWords(
  values: Readonly<Record<string, unknown>>,
  words: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (words.size === 0) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNoAnswer(value, words) ? null : value]),
  );
}

export const badCellText = ({ expected, column, found }: BadCell): string =>
  `Expected ${expected} for ${column} but ${found}`;
