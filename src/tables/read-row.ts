import type { Cell, ColumnKind, ColumnKinds, RowOf } from "./columns.js";
import { quoted } from "./format.js";
import type { WantedColumn } from "./header.js";
import { cellAt } from "./nested-value.js";
import type { Words } from "./words.js";

/** The columns that were asked for of one row, each read by its kind, and what is wrong with them. */
export function readRow<Kinds extends ColumnKinds>(
  values: Readonly<Record<string, unknown>>,
  {
    wanted,
    isText,
    seen,
    noAnswer,
    words,
  }: {
    wanted: readonly WantedColumn[];
    isText: boolean;
    seen: Set<string>;
    noAnswer: ReadonlySet<string>;
    words: Words;
  },
): { row: RowOf<Kinds>; bad: string[] } {
  const bad: string[] = [];
  const row: Record<string, unknown> = {};
  for (const { target, column, kind } of wanted) {
    const found = cellAt(values, column);
    if (kind.isRequired && kind.mayLack !== true && found === undefined) {
      bad.push(`Expected a value for ${column} but the row has no such member`);
      continue;
    }
    if (found !== undefined && /[.+]/.test(column)) seen.add(column);
    const cell = readCell(kind, found?.value, { isText, noAnswer });
    if ("value" in cell) setOwn(row, target, words.one(cell.value));
    else bad.push(`Expected ${cell.expected} for ${column} but received ${quoted(found?.value)}`);
  }
  // Every column was read by its own kind; where one failed the row is not used.
  return { row: row as RowOf<Kinds>, bad };
}

/** A word for no answer is one only where there may be none: a metric may be called "tie". */
function readCell(
  kind: ColumnKind<unknown>,
  value: unknown,
  { isText, noAnswer }: { isText: boolean; noAnswer: ReadonlySet<string> },
): Cell<unknown> {
  if (isNoAnswer(value, noAnswer)) {
    const nothing = kind.read(null, { isText });
    if ("value" in nothing) return nothing;
  }
  return kind.read(value, { isText });
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

/** Sets a member by any name: `__proto__` set in the plain way would be lost. */
function setOwn(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true });
}
