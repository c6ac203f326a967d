import type { TextColumn } from "../core/text-column.js";
import type { ColumnKinds } from "./columns.js";
import type { ColumnsOf, SideBySide, Table, TableShape } from "./shapes.js";

/** The kinds of a table whose names are columns: where they are known, under their own names. */
export function sidesApart(kinds: ColumnKinds, sideBySide: SideBySide<string>): ColumnKinds {
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

/** The columns of each name. */
export type Sides = readonly { readonly name: string; readonly columns: readonly unknown[] }[];

/** A table with a row for each name of each row. */
export function sidesTogether(
  base: Table<ColumnKinds>,
  { kinds, sideBySide, rowNames }: TableShape<ColumnKinds>,
  sides: Sides | undefined,
): Table<ColumnKinds> {
  const named = rowNames === undefined ? base : withRowNames(base, rowNames);
  if (sideBySide === undefined || sides === undefined) return named;
  const { name, values } = sideBySide;
  const each = sides.length;
  const length = base.length * each;
  const tiled = Int32Array.from({ length }, (_, row) => row % each);
  const columns = Object.keys(kinds).map((column) => {
    if (column === name) return [column, { codes: tiled, names: sides.map((side) => side.name) }];
    const at = values.indexOf(column);
    if (at < 0)
      return [column, repeated(named.columns[column], length, (row) => Math.floor(row / each))];
    const its = sides.map((side) => side.columns[at]);
    return [column, interleaved(its, length)];
  });
  return {
    ...named,
    length,
    columns: Object.fromEntries(columns),
    has: (column) => column === name || values.includes(column) || base.has(column),
    place: (row) => base.place(Math.floor(row / each)),
    rowName: (row) => base.rowName(Math.floor(row / each)),
  };
}

/** A column whose rows are some of another's. */
function repeated(column: unknown, length: number, rowOf: (row: number) => number): unknown {
  if (column instanceof Float64Array) {
    return Float64Array.from({ length }, (_, row) => column[rowOf(row)] ?? Number.NaN);
  }
  if (Array.isArray(column)) return Array.from({ length }, (_, row) => column[rowOf(row)]);
  const { codes, names } = column as TextColumn;
  return { codes: Int32Array.from({ length }, (_, row) => codes[rowOf(row)] ?? -1), names };
}

/** Columns of which each gives every so manyth row. */
function interleaved(columns: readonly unknown[], length: number): unknown {
  const each = columns.length;
  const [first] = columns.filter((column) => column !== undefined);
  if (first instanceof Float64Array) {
    return Float64Array.from({ length }, (_, row) => {
      const column = columns[row % each];
      return column instanceof Float64Array
        ? (column[Math.floor(row / each)] ?? Number.NaN)
        : Number.NaN;
    });
  }
  if (Array.isArray(first)) {
    return Array.from({ length }, (_, row) => {
      const column = columns[row % each];
      return Array.isArray(column) ? column[Math.floor(row / each)] : undefined;
    });
  }
  const known = new Map<string, number>();
  const texts = columns as readonly TextColumn[];
  const maps = texts.map(({ names }) => new Int32Array(names.length).fill(-1));
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const column = row % each;
    const code = texts[column]?.codes[Math.floor(row / each)] ?? -1;
    const map = maps[column];
    if (code < 0 || map === undefined) {
      codes[row] = -1;
      continue;
    }
    let name = map[code] ?? -1;
    if (name < 0) {
      const word = texts[column]?.names[code] ?? "";
      name = known.get(word) ?? known.size;
      known.set(word, name);
      map[code] = name;
    }
    codes[row] = name;
  }
  return { codes, names: [...known.keys()] };
}

/** The table with the names of rows where a column of text has none. */
function withRowNames(base: Table<ColumnKinds>, name: string): Table<ColumnKinds> {
  const { codes, names } = base.columns[name] as unknown as TextColumn;
  if (!codes.includes(-1)) return base;
  const known = new Map<string, number>();
  const named = codes.map((code, row) => {
    const word = code < 0 ? base.rowName(row) : (names[code] ?? "");
    const number = known.get(word) ?? known.size;
    known.set(word, number);
    return number;
  });
  const column = { codes: named, names: [...known.keys()] };
  return { ...base, columns: { ...base.columns, [name]: column } as ColumnsOf<ColumnKinds> };
}
