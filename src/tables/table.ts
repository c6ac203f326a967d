import { InputError } from "../core/errors.js";
import { Names } from "../core/names.js";
import type { TableBytes } from "./bytes.js";
import { type ColumnKind, type ColumnKinds, type RowOf, score } from "./columns.js";
import { quoted, type TableFormat } from "./format.js";
import type { RowFilter } from "./row-filters.js";
import { tableNames } from "./several-files.js";
import type { ColumnsOf, FoundColumn, SideBySide, Table, TableShape } from "./shapes.js";
import { type TableRow, tableRows, type WrittenNames } from "./table-rows.js";

/** A table that is asked for in columns. */
export interface TableRequest<Kinds extends ColumnKinds> {
  /** One file, or several that are read as one table, one after the other. */
  readonly source: TableBytes | readonly TableBytes[];
  /** Default: by the name's ending, else by the first bytes. */
  readonly format?: TableFormat | undefined;
  /** Which columns, in which shape. */
  readonly shape: TableShape<Kinds>;
  /** Where a column has another name in the table: `{ correct: "my_column" }`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Names of columns in what a verb of ours wrote: see `RowsRequest`. */
  readonly written?: WrittenNames | undefined;
  /** Where the rows of a JSON document stand, such as `data.*`. */
  readonly rows?: string | undefined;
  /** Which rows are read; default all. */
  readonly where?: readonly RowFilter[] | undefined;
  /** Words that mean that there is no answer, beside an empty cell and those that always do. */
  readonly unscored?: readonly string[] | undefined;
  /** Told, a sentence each, how cells were read that could be meant otherwise. */
  readonly tell?: ((sentence: string) => void) | undefined;
}

/**
 * Reads a whole table into columns: each text once, a row as a number for each column.
 *
 * @throws InputError where it can't be read, columns are missing or there are no rows; and one with all that is
 *   wrong with rows as `problems`.
 * @example
 * const { length, columns } = await readTable({ source, shape: { kinds: { id: text, correct: score } } });
 * columns.id.names[columns.id.codes[0] ?? -1] // the first row's id
 */
export async function readTable<const Kinds extends ColumnKinds>({
  shape,
  ...request
}: TableRequest<Kinds>): Promise<Table<Kinds>> {
  const { kinds, sideBySide, rowNames, others } = shape;
  const sources = "open" in request.source ? [request.source] : request.source;
  const name = tableNames(sources.map((source) => source.name));
  const asked = sideBySide === undefined ? kinds : sidesApart(kinds, sideBySide);
  const isTaken = takenColumns(asked, request.map);
  const columns = new Map(Object.entries(kinds).map(([column, kind]) => [column, newColumn(kind)]));
  const found = new Map<string, NumbersFound>();
  const held = new Set<string>();
  const places: string[] = [];
  const files: { readonly name: string; readonly line: number }[] = [];
  const names: string[] = [];
  const wide: { row: TableRow<ColumnKinds>; cells: ReadonlyMap<string, unknown> }[] = [];
  const add = (values: Readonly<Record<string, unknown>>, row: TableRow<ColumnKinds>) => {
    for (const [column, cells] of columns) {
      const value = values[column];
      cells.add(column === rowNames && (value ?? undefined) === undefined ? row.rowName : value);
    }
    places.push(row.place);
    files.push({ name: row.name, line: row.line });
    names.push(row.rowName);
  };
  const unique = shape.unique?.filter((column) => Object.hasOwn(asked, column)) ?? [];
  const { otherShape } = shape;
  const isFound = typeof sideBySide?.given === "function";
  let rows = 0;
  for await (const row of tableRows<ColumnKinds>({
    ...request,
    columns: asked,
    unique,
    otherShape,
  })) {
    const { all, isText } = row;
    for (const column of Object.keys(kinds)) if (Object.hasOwn(all, column)) held.add(column);
    if (others !== undefined) {
      for (const [column, cell] of Object.entries(all)) {
        if (isTaken(column) || !others(column)) continue;
        const numbers = found.get(column) ?? new NumbersFound();
        found.set(column, numbers);
        numbers.add(cell, { row: rows, place: row.place, isText });
      }
    }
    rows += 1;
    if (isFound) wide.push({ row, cells: flat(all) });
    else if (sideBySide === undefined) add(row.row, row);
    else {
      for (const [side, sides] of givenSides(sideBySide, [])) {
        const values: Record<string, unknown> = { ...row.row, [sideBySide.name]: side };
        for (const [at, column] of sideBySide.values.entries()) {
          values[column] = Reflect.get(row.row, sides[at] ?? "");
        }
        add(values, row);
      }
    }
  }
  if (isFound && sideBySide !== undefined) {
    const sides = givenSides(sideBySide, [
      ...new Set(wide.flatMap(({ cells }) => [...cells.keys()])),
    ]);
    const problems: string[] = [];
    for (const { row, cells } of wide) {
      for (const [side, its] of sides) {
        const values: Record<string, unknown> = { ...row.row, [sideBySide.name]: side };
        for (const [at, column] of sideBySide.values.entries()) {
          const cell = cells.get(its[at] ?? "");
          const kind: ColumnKind<unknown> = kinds[column] ?? score;
          const read = kind.read(cell, row);
          if ("value" in read) values[column] = read.value;
          else {
            problems.push(
              `Expected ${read.expected} for ${its[at]} but received ${quoted(cell)} (in ${row.name}, line ${row.line})`,
            );
          }
        }
        add(values, row);
      }
    }
    if (problems.length > 0) {
      throw new InputError(`Expected a sound table but found unsound scores in ${name}`, {
        problems,
      });
    }
  }
  const table: Table<Kinds> = {
    length: places.length,
    // Each was made by its kind.
    columns: Object.fromEntries(
      [...columns].map(([column, cells]) => [column, cells.column()]),
    ) as ColumnsOf<Kinds>,
    others: [...found].map(([column, numbers]) => numbers.column(column, rows)),
    has: (column) => held.has(request.map?.[column] ?? column),
    place: (row) => places[row] ?? "",
    rowName: (row) => names[row] ?? "",
  };
  const problems = [...(shape.check?.(table) ?? [])].map(
    ({ row, problem }) => `${problem} (in ${files[row]?.name}, line ${files[row]?.line})`,
  );
  if (problems.length > 0) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new InputError(`Expected a sound table but found ${count} in ${name}`, {
      problems,
      hint: "Nothing was computed. Correct or remove these rows, then run the command again.",
    });
  }
  return table;
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
  const { codes, names } = column as { codes: Int32Array; names: readonly string[] };
  return (row) => names[codes[row] ?? -1] ?? nothing;
}

/** Whether a column of the table is one that was asked for. */
function takenColumns(asked: ColumnKinds, map: Readonly<Record<string, string>> = {}) {
  const taken = new Set(
    Object.keys(asked).map((column) => (Object.hasOwn(map, column) ? map[column] : column)),
  );
  return (column: string) => taken.has(column);
}

/** The kinds of a table whose names are columns: where they are known, under their own names. */
function sidesApart(kinds: ColumnKinds, sideBySide: SideBySide<string>): ColumnKinds {
  const { given, name, values } = sideBySide;
  const common = Object.entries(kinds).filter(
    ([column]) => column !== name && !values.includes(column),
  );
  const own =
    typeof given === "function"
      ? []
      : [...given.values()].flatMap((columns) =>
          columns.flatMap((column, at) => {
            const kind = kinds[values[at] ?? ""];
            return column === undefined || kind === undefined ? [] : [[column, kind] as const];
          }),
        );
  return Object.fromEntries([...common, ...own]);
}

const givenSides = ({ given }: SideBySide<string>, columns: readonly string[]) =>
  typeof given === "function" ? given(columns) : given;

/** Cells by their columns' names, those of objects under `object.member`. */
const flat = (all: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(all).flatMap(([name, cell]) =>
      typeof cell === "object" && cell !== null && !Array.isArray(cell)
        ? Object.entries(cell).map(([member, value]) => [`${name}.${member}`, value] as const)
        : [[name, cell] as const],
    ),
  );

interface GrowingColumn {
  add(value: unknown): void;
  column(): unknown;
}

function newColumn({ holds }: ColumnKind<unknown>): GrowingColumn {
  const values: unknown[] = [];
  if (holds === undefined) return { add: (value) => values.push(value), column: () => values };
  const numbers: number[] = [];
  if (holds === "numbers") {
    return {
      add: (value) => numbers.push(typeof value === "number" ? value : Number.NaN),
      column: () => Float64Array.from(numbers),
    };
  }
  const names = new Names();
  return {
    add: (value) => numbers.push(typeof value === "string" ? names.numberOf(value) : -1),
    column: () => ({ codes: Int32Array.from(numbers), names: names.all }),
  };
}

/** Collects the numbers of a column that nobody named. */
class NumbersFound {
  readonly #values: number[] = [];
  #count = 0;
  #odd: string | undefined;
  #fractions = 0;

  add(
    cell: unknown,
    { row, place, isText }: { row: number; place: string; isText: boolean },
  ): void {
    const read = score.read(cell, { isText });
    while (this.#values.length < row) this.#values.push(Number.NaN);
    const value = "value" in read ? read.value : null;
    this.#values.push(value ?? Number.NaN);
    if (value !== null) this.#count += 1;
    if ("value" in read) return;
    this.#odd ??= `${quoted(cell)} in ${place}`;
    const asText = isText ? read : score.read(cell, { isText: true });
    if ("value" in asText && !Number.isInteger(asText.value)) this.#fractions += 1;
  }

  column(name: string, rows: number): FoundColumn {
    const values = new Float64Array(rows).fill(Number.NaN);
    values.set(this.#values);
    return {
      name,
      values,
      count: this.#count,
      odd: this.#odd,
      fractionsAsText: this.#fractions,
    };
  }
}
