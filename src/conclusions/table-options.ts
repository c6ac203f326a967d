import { InputError, MissingColumns } from "../core/errors.js";
import type { Arguments } from "../core/options.js";
import type { TableBytes } from "../tables/bytes.js";
import type { ColumnKinds, RowOf } from "../tables/columns.js";
import { type TableFormat, tableFormats } from "../tables/format.js";
import type { OtherShape } from "../tables/header.js";
import type { joinTables } from "../tables/join-tables.js";
import { parseMap } from "../tables/map.js";
import { parseWhere } from "../tables/row-filters.js";
import { tableNames } from "../tables/several-files.js";
import { rowsOf, type TableRequest } from "../tables/shapes.js";
import { readTable } from "../tables/table.js";

/** Arguments of every verb that reads a table. */
export const tableArguments = {
  file: {
    kind: "positional",
    repeated: true,
    description:
      "the table, or - for standard input; several files of the same columns, or patterns such as " +
      "'scores/*.parquet', are read as one table in the order of their names",
  },
  format: { kind: "choice", choices: tableFormats, description: "default: by the file's ending" },
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description:
      "read NAME from another column: correct=my.column; a.b reads a nested value, id=a+b " +
      "joins two columns, filename is the row's file",
  },
  rows: {
    kind: "text",
    value: "PATH",
    description: "the path to the rows in a JSON document; * matches every member: data.*",
  },
  where: {
    kind: "text",
    repeated: true,
    value: "COLUMN=VALUE",
    description:
      "read only rows with this value, or, with COLUMN!=VALUE, without it; of several columns all must fit, of " +
      "several values of one any",
  },
  join: {
    kind: "text",
    value: "COLUMN,…",
    description:
      "join several files by the columns that name a row in each, such as id; what a file lacks is missing",
  },
  unscored: {
    kind: "text",
    value: "A,B",
    description: "values that mean unscored, besides an empty one: NA,tie",
  },
} as const satisfies Arguments;

/** The same for a verb that reads one table, or something else. */
export const optionalTable = {
  kind: "positional",
  optional: true,
  description: "the table, or - for standard input",
} as const;

export const outArgument = {
  out: {
    kind: "text",
    value: "FILE",
    description: "also write .json, .csv, .parquet, .md or .html",
  },
} as const satisfies Arguments;

export interface GivenTable {
  readonly file: readonly string[];
  readonly format: TableFormat | undefined;
  readonly map: readonly string[];
  readonly rows: string | undefined;
  readonly where?: readonly string[];
  readonly join?: string | undefined;
  readonly unscored: string | undefined;
}

/** Names a table for sentences. */
export const tableName = ({ file }: Pick<GivenTable, "file">): string =>
  tableNames(file.map((each) => (each === "-" ? "standard input" : each)));

/** Where what is read comes from: the files of this machine, or what a page was given. */
export interface Inputs {
  /**
   * @param file its path, or - for standard input
   * @param isFormatKnown whether its ending need not say what it holds
   */
  table(file: string, isFormatKnown: boolean): Promise<TableBytes>;
  text(file: string): Promise<string>;
  /** Told in a sentence which words were read as no answer. */
  readonly tell?: (sentence: string, isWarning?: boolean) => void;
}

/** How the files that were given are asked for. @throws InputError where one is not there. */
export async function tableRequest(
  { file, format, map, rows, where = [], join, unscored }: GivenTable,
  inputs: Inputs,
): Promise<
  Pick<
    TableRequest<ColumnKinds>,
    "source" | "format" | "map" | "rows" | "where" | "unscored" | "tell"
  >
> {
  const sources = await Promise.all(file.map((each) => inputs.table(each, format !== undefined)));
  const by = join?.split(",").map((column) => column.trim());
  const source = by === undefined ? sources : await joined(sources, { by, format, rows });
  return {
    source,
    format: by === undefined ? format : undefined,
    map: parseMap(map),
    rows: by === undefined ? rows : undefined,
    where: parseWhere(where),
    tell: inputs.tell,
    unscored: unscored?.split(",").map((word) => word.trim()) ?? [],
  };
}

/** Few tables are joined: the code is loaded then. */
const joined: typeof joinTables = async (...given) =>
  (await import("../tables/join-tables.js")).joinTables(...given);

interface AskedColumns<Kinds extends ColumnKinds> {
  readonly columns: Kinds;
  /** Columns whose values together may stand in one row only. */
  readonly unique?: readonly NoInfer<keyof Kinds & string>[];
  /** What is wrong with a row of which each column by itself is right. */
  readonly fault?: ((row: RowOf<Kinds>) => string | undefined) | undefined;
  /** Which flag reads a table of other columns. */
  readonly otherShape?: OtherShape | undefined;
}

/** How a verb reads tables of these columns: all rows of those that were given. */
export const tableReader =
  <const Kinds extends ColumnKinds>({
    columns: kinds,
    unique,
    fault,
    otherShape,
  }: AskedColumns<Kinds>) =>
  /** @throws InputError as `readTable` does. */
  async (given: GivenTable, inputs: Inputs): Promise<RowOf<Kinds>[]> => {
    const rows: RowOf<Kinds>[] = [];
    await readTable({
      ...(await tableRequest(given, inputs)),
      shape: {
        kinds,
        unique,
        otherShape,
        *check(table) {
          for (const row of rowsOf(table, kinds)) {
            const problem = fault?.(row);
            if (problem !== undefined) yield { row: rows.length, problem };
            rows.push(row);
          }
        },
      },
    });
    return rows;
  };

/** Column that marks a table of sums: it holds the conclusion's name. */
export const sumsColumn = "touchstone_sums";

/** Reads rows, or, where the table is one of sums, these. */
export async function rowsOrSums<Given extends GivenTable, Read>(
  rows: (given: Given, inputs: Inputs) => Promise<Read>,
  sums: ((given: Given, inputs: Inputs) => Promise<Read>) | undefined,
  [given, inputs]: readonly [Given, Inputs],
): Promise<Read> {
  try {
    return await rows(given, inputs);
  } catch (error) {
    const isOfSums = error instanceof MissingColumns && error.columns.includes(sumsColumn);
    if (sums === undefined || !isOfSums) throw error;
    if (given.file.includes("-")) {
      throw new InputError("Expected a file of sums but received them on standard input", {
        hint: "Save them, and name the file.",
      });
    }
    return sums(given, inputs);
  }
}
