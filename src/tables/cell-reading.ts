import type { Cell, ColumnKind } from "./columns.js";
import { quoted } from "./format.js";

/** How the cells of a column are read. */
export interface Reading {
  /** Name in the table, for messages. */
  readonly column: string;
  readonly kind: ColumnKind<unknown>;
  readonly noAnswer: ReadonlySet<string>;
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

export const isNoAnswer = (value: unknown, words: ReadonlySet<string>): boolean =>
  words.size > 0 &&
  (typeof value === "string" || typeof value === "number") &&
  words.has(String(value).trim());

/** What is wrong with a cell that its kind can't read. */
export function badCell(
  { column, kind }: Reading,
  value: unknown,
  { isText, isThere }: { readonly isText: boolean; readonly isThere: boolean },
): BadCell {
  const cell = kind.read(value, { isText });
  const expected = "value" in cell ? "another value" : cell.expected;
  if (!isThere) return { column, expected, found: "the row has no such member" };
  const text = quoted(value);
  const isNumber = !isText && "value" in kind.read(value, { isText: true });
  return { column, expected, found: `received ${text}`, ...(isNumber ? { text } : {}) };
}

export const badCellText = ({ expected, column, found }: BadCell): string =>
  `Expected ${expected} for ${column} but ${found}`;
