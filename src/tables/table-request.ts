import type { TableBytes } from "./bytes.js";
import type { ColumnKinds } from "./columns.js";
import type { TableFormat } from "./format.js";
import type { RowFilter } from "./row-filters.js";
import type { TableShape } from "./shapes.js";

/** A table that is asked for in columns. */
export interface TableRequest<Kinds extends ColumnKinds> {
  /** One file, or several that are read as one table, one after the other. */
  readonly source: TableBytes | readonly TableBytes[];
  /** Default: by the name's ending, else by the first bytes. */
  readonly format?: TableFormat | undefined;
  /** Which columns, in which shape. */
  readonly shape: TableShape<Kinds>;
  /**
   * Where a column has another name in the table: `{ correct: "my_column" }`. `filename` is the file that a
   * row stands in, where no column has that name.
   */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /**
   * The names of columns in what a verb of ours wrote, known by having all of these and `mark`: the first that
   * fit then stand in for the columns' own, where `map` names no other.
   */
  readonly written?: readonly WrittenNames[] | undefined;
  /** Where the rows of a JSON document stand, such as `data.*`: see `readJsonTable`. */
  readonly rows?: string | undefined;
  /** Which rows are read; default all. */
  readonly where?: readonly RowFilter[] | undefined;
  /** Words that mean that there is no answer, beside an empty cell and those that always do. */
  readonly unscored?: readonly string[] | undefined;
  /** Told, a sentence each, how cells were read that could be meant otherwise; `isWarning` where figures may be wrong. */
  readonly tell?: ((sentence: string, isWarning?: boolean) => void) | undefined;
}

/** Column names of a table that a verb of ours writes, by the columns that another verb asks for. */
export interface WrittenNames {
  readonly mark: string;
  readonly names: Readonly<Record<string, string>>;
}
