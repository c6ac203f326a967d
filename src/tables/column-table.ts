import type { Names } from "../core/names.js";

/** Numbers of names, -1 where there is none; or numbers, NaN where there is none. */
export type Column = Int32Array | Float64Array;

/** A table that is filled by column, so that no row need be made of its own. */
export interface ColumnTable<Row> {
  /** Where the texts of a column are numbered, by its name. The other columns are of numbers. */
  readonly names: Readonly<Record<string, Names>>;
  add(row: Row): void;
  /** Adds rows by column: those from one place up to another. */
  append(columns: Readonly<Record<string, Column>>, from: number, to: number): void;
}
