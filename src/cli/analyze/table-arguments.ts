import { resolve } from "node:path";
import { readTable } from "../../files/table.js";
import type { ColumnKinds, RowOf } from "../../files/table-columns.js";
import { type TableFormat, tableFormats } from "../../files/table-format.js";
import type { Arguments } from "../arguments.js";
import type { Environment } from "../environment.js";
import { parseMap } from "../map-flag.js";

/** What every verb is given that reads a table. */
export const tableArguments = {
  file: { kind: "positional", description: "the table, or - for standard input" },
  format: { kind: "choice", choices: tableFormats, description: "default: by the file's ending" },
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "where a column has another name: correct=my_column",
  },
} as const satisfies Arguments;

export const outArgument = {
  out: { kind: "text", value: "FILE", description: "also write .json, .csv, .md or .html" },
} as const satisfies Arguments;

export interface GivenTable {
  readonly file: string;
  readonly format: TableFormat | undefined;
  readonly map: readonly string[];
}

/** What a table is called in sentences. */
export const tableName = ({ file }: GivenTable) => (file === "-" ? "standard input" : file);

/**
 * All rows of the table that was given.
 *
 * @throws InputError as `readTable` does.
 */
export async function readGivenTable<const Kinds extends ColumnKinds>(
  given: GivenTable,
  {
    columns,
    unique,
    environment: { stdin, workingDirectory },
  }: {
    readonly columns: Kinds;
    readonly unique: readonly (keyof Kinds & string)[];
    readonly environment: Environment;
  },
): Promise<RowOf<Kinds>[]> {
  const { file, format, map } = given;
  const name = tableName(given);
  const source =
    file === "-" ? { name, bytes: stdin } : { name, path: resolve(workingDirectory, file) };
  const rows: RowOf<Kinds>[] = [];
  for await (const { row } of readTable({ source, format, columns, map: parseMap(map), unique })) {
    rows.push(row);
  }
  return rows;
}

/** How the table was given, as words of a command line: `FILE --format csv --map correct=right`. */
export function tableWords({ file, format, map }: GivenTable): string[] {
  return [
    file,
    ...(format === undefined ? [] : ["--format", format]),
    ...map.flatMap((pair) => ["--map", pair]),
  ];
}
