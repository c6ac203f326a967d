import { InputError } from "../core/errors.js";
import type { WantedColumn } from "./header.js";
import { partsOf } from "./nested-value.js";

/** The column that names the file in which a row stands, for who asks for it, as in DuckDB. */
export const fileColumn = "filename";

/** Names of the column that says from which file a row is; the second is for tables with a `filename` of their own. */
export const fileColumns: readonly string[] = [fileColumn, `_${fileColumn}`];

/**
 * Names, for a sentence, the files that are read as one table.
 *
 * @example tableNames(["a.csv", "b.csv", "c.csv"]) // "a.csv and 2 more files"
 */
export function tableNames([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} and ${others.length} more ${others.length === 1 ? "file" : "files"}`;
}

/** Whether a column that is asked for is the file's name, alone or joined with others. */
export const asksForFile = (wanted: readonly WantedColumn[]): boolean =>
  wanted.some(({ column }) => partsOf(column).some((part) => fileColumns.includes(part)));

/** Holds the headers of files that are read as one table to be the same, in whatever order. */
export class SharedHeader {
  #first: { readonly name: string; readonly columns: ReadonlySet<string> } | undefined;

  /** @throws InputError that names the file and the column where a header differs from the first. */
  check(names: readonly string[], name: string): void {
    const columns = new Set(names);
    this.#first ??= { name, columns };
    const { columns: expected, name: first } = this.#first;
    const differing = [
      ...namesIn(expected, columns, "is missing", "are missing"),
      ...namesIn(columns, expected, "is there, too", "are there, too"),
    ];
    if (differing.length === 0) return;
    throw new InputError(
      `Expected the columns of ${first} in ${name} but ${differing.join(", and ")}`,
      { hint: "Files that are read as one table have the same columns, in any order" },
    );
  }
}

/** Which of some columns the others lack. */
function namesIn(
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
  isOne: string,
  areSeveral: string,
): string[] {
  const lacking = [...some].filter((column) => !others.has(column));
  if (lacking.length === 0) return [];
  return [`${lacking.join(", ")} ${lacking.length === 1 ? isOne : areSeveral}`];
}
