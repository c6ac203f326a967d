import { isLists, listAt, type NumberLists } from "../core/number-lists.js";
import type { TextColumn } from "../core/text-column.js";
import type { TableBytes } from "./bytes.js";
import type { ColumnKind, ColumnKinds, ListKind, NumberKind, RowOf, TextKind } from "./columns.js";
import type { TableFormat } from "./format.js";
import type { OtherShape } from "./header.js";
import type { RowFilter } from "./row-filters.js";

/** How a table holds a column: texts by code, numbers (NaN: nobody answered), anything else as values. */
export type ColumnOf<Kind> =
  Kind extends TextKind<string | null | undefined>
    ? TextColumn
    : Kind extends NumberKind<number | null | undefined>
      ? Float64Array
      : Kind extends ListKind<number | null | readonly (number | null)[]>
        ? NumberLists
        : Kind extends ColumnKind<infer Value>
          ? readonly Value[]
          : never;

export type ColumnsOf<Kinds extends ColumnKinds> = {
  readonly [Name in keyof Kinds]: ColumnOf<Kinds[Name]>;
};

/** How many cells hold numbers in another form, and the first, as messages quote it, with its place. */
export interface HeldNumbers {
  readonly count: number;
  readonly first: string | undefined;
}

/** A further column, read for its numbers: which they are, and what else stands in it. */
export interface FoundColumn {
  readonly name: string;
  /** NaN where there is none. */
  readonly values: Float64Array;
  /** How many rows have a number. */
  readonly count: number;
  /** The first cell that is neither a number nor empty, as messages quote it, with its place. */
  readonly odd: string | undefined;
  /** Rows that hold a fraction as text in a format that has numbers. */
  readonly fractionsAsText: number;
  /** Cells that hold a number as somebody prints it, such as 71.2 %. */
  readonly dressed: HeldNumbers;
  /** Cells that hold a number among words, such as 0.712 pts. */
  readonly worded: HeldNumbers;
}

/** All rows of one or several files, by column. */
export interface Table<Kinds extends ColumnKinds> {
  /** Number of rows. */
  readonly length: number;
  readonly columns: ColumnsOf<Kinds>;
  /** Further columns, where the shape asks for `others`, in the order in which they are found. */
  readonly others: readonly FoundColumn[];
  /** Every column that is there, asked for or not. */
  readonly names: readonly string[];
  /** Whether the table has a column that was asked for, be its cells empty. */
  has(column: keyof Kinds & string): boolean;
  /** Where a row stands: "line 3", of several files "line 3 of b.csv". */
  place(row: number): string;
  /** Name of a row that has none of its own: "row 3", the same in every format. */
  rowName(row: number): string;
}

/** What is wrong with a row of which each column by itself is right; `row` counts from 0. */
export interface RowProblem {
  readonly row: number;
  /** A sentence; where the row stands is added. */
  readonly problem: string;
  /** The way out; the last one counts for all. */
  readonly hint?: string | undefined;
}

/**
 * Reads a table in which names are columns as one with a row for each name: of anna,ben the column annotator
 * holds anna and ben, and value what stands in their columns.
 */
export interface SideBySide<Name extends string> {
  /**
   * The columns of each name, as many as `values`; undefined for one that a name lacks. A function finds them among
   * the table's columns (those of objects as `object.member`), or throws.
   */
  readonly given:
    | ReadonlyMap<string, readonly (string | undefined)[]>
    | ((columns: readonly string[]) => ReadonlyMap<string, readonly (string | undefined)[]>);
  /** Takes the names; a kind of text. */
  readonly name: Name;
  /** Take the cells. */
  readonly values: readonly Name[];
}

/** Which columns a verb reads. */
export interface TableShape<Kinds extends ColumnKinds> {
  readonly kinds: Kinds;
  /** Columns whose values together may stand in one row only; rows that lack one of them are free. */
  readonly unique?: readonly (keyof NoInfer<Kinds> & string)[] | undefined;
  /** Says what is wrong with rows, once all are read and each cell is sound. */
  check?(table: Table<Kinds>): Iterable<RowProblem>;
  readonly sideBySide?: SideBySide<keyof NoInfer<Kinds> & string> | undefined;
  /** A column of text: where its cell is empty, the row's name stands in it. */
  readonly rowNames?: (keyof NoInfer<Kinds> & string) | undefined;
  /** Which columns are read for their numbers, be they asked for as another kind. */
  readonly others?: ((column: string) => boolean) | undefined;
  /** Whether its numbers are counts and sums, of which no 99 stands for no answer. */
  readonly counts?: boolean | undefined;
  /** Where columns are missing: which flag reads a table that has these. */
  readonly otherShape?: OtherShape | undefined;
}

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
interface WrittenNames {
  readonly mark: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Rows of a table as objects, one at a time: for what acts on rows. */
export function* rowsOf<Kinds extends ColumnKinds>(
  { length, columns }: Pick<Table<Kinds>, "length" | "columns">,
  kinds: Kinds,
): Generator<RowOf<Kinds>> {
  const cells = Object.entries<ColumnKind<unknown>>(kinds).map(([name, kind]) => {
    const column: unknown = columns[name];
    const read = kind.read(null, { isText: false });
    const nothing = "value" in read ? read.value : undefined;
    return [name, cellsOf(column, nothing)] as const;
  });
  for (let row = 0; row < length; row++) {
    // Each column was made by its kind.
    yield Object.fromEntries(cells.map(([name, cellOf]) => [name, cellOf(row)])) as RowOf<Kinds>;
  }
}

function cellsOf(column: unknown, nothing: unknown): (row: number) => unknown {
  if (column instanceof Float64Array) {
    return (row) => (Number.isNaN(column[row]) ? nothing : column[row]);
  }
  if (Array.isArray(column)) return (row) => column[row];
  if (isLists(column)) {
    return (row) => {
      const list = listAt(column, row);
      return list.length === 0
        ? nothing
        : Array.from(list, (item) => (Number.isNaN(item) ? null : item));
    };
  }
  const { codes, names } = column as { codes: Int32Array; names: readonly string[] };
  return (row) => names[codes[row] ?? -1] ?? nothing;
}
