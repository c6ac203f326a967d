import { blankRow, setOwn } from "./blank-row.js";
import type { Cell, ColumnKind, ColumnKinds, RowOf } from "./columns.js";
import { quoted } from "./format.js";
import type { WantedColumn } from "./header.js";
import { cellAt } from "./nested-value.js";
import { Words } from "./words.js";

/** How the rows of a table are read. */
export interface RowReading {
  readonly columns: readonly (WantedColumn & { readonly words: Words })[];
  /** A row with all targets. */
  readonly blank: Readonly<Record<string, unknown>>;
  readonly noAnswer: ReadonlySet<string>;
}

export function rowReading(
  wanted: readonly WantedColumn[],
  noAnswer: ReadonlySet<string>,
): RowReading {
  return {
    columns: wanted.map((column) => ({ ...column, words: new Words() })),
    blank: blankRow(wanted.map(({ target }) => target)),
    noAnswer,
  };
}

/** The columns that were asked for of one row, each read by its kind, and what is wrong with them. */
export function readRow<Kinds extends ColumnKinds>(
  values: Readonly<Record<string, unknown>>,
  { columns, blank, noAnswer }: RowReading,
  about: { readonly isText: boolean; readonly seen: Set<string> },
): { row: RowOf<Kinds>; bad: string[] } {
  const bad: string[] = [];
  const row = { ...blank };
  for (const { target, column, kind, mayLeadOn, words } of columns) {
    const found = mayLeadOn ? cellAt(values, column) : undefined;
    const isThere = found !== undefined || Object.hasOwn(values, column);
    if (kind.isRequired && kind.mayLack !== true && !isThere) {
      bad.push(`Expected a value for ${column} but the row has no such member`);
      continue;
    }
    if (mayLeadOn && isThere) about.seen.add(column);
    const value = found !== undefined ? found.value : isThere ? values[column] : undefined;
    const cell = readCell(kind, value, about, noAnswer);
    if ("value" in cell) setOwn(row, target, words.one(cell.value));
    else bad.push(`Expected ${cell.expected} for ${column} but received ${quoted(value)}`);
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
