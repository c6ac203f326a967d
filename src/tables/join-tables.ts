import { InputError } from "../core/errors.js";
import type { TableBytes } from "./bytes.js";
import { cellOf, csvLine } from "./cell-table.js";
import { quoted, type TableFormat } from "./format.js";
import { cellAt, nameText } from "./nested-value.js";
import { openTable } from "./open-table.js";
import { tableNames } from "./several-files.js";
import { tableRows } from "./table-rows.js";

type Values = Readonly<Record<string, unknown>>;

interface KeyedTable {
  readonly name: string;
  /** Without the columns that it is joined by. */
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly {
    readonly key: string;
    readonly names: readonly string[];
    readonly values: Values;
  }[];
}

/**
 * Joins tables by the columns that name a row in each, into one: a row for each that any of them names (a full
 * outer join); where the first names one several times, as of several metrics, a row for each of its own. What a
 * table lacks is missing. All of it is held in memory.
 *
 * @param options.by names the columns; of a JSON document of rows by their id, `key` stands for one that is not there.
 * @returns a table as CSV.
 * @throws InputError where a row has no name, a later table names one twice, two have a column of one name, or
 *   no name is in two of them.
 */
export async function joinTables(
  sources: readonly TableBytes[],
  options: {
    readonly by: readonly string[];
    readonly format?: TableFormat | undefined;
    readonly rows?: string | undefined;
  },
): Promise<TableBytes> {
  const { by } = options;
  const tables: KeyedTable[] = [];
  for (const source of sources) tables.push(await keyedTable(source, options));
  const [first, ...others] = tables;
  if (first === undefined || others.length === 0) {
    throw new InputError(`Expected several files for --join ${by.join(",")} but received one`);
  }
  checkColumnsApart(tables);
  const lookups = others.map(({ name, rows }) => {
    const byKey = new Map<string, (typeof rows)[number]>();
    for (const row of rows) {
      if (byKey.has(row.key)) {
        throw new InputError(
          `Expected each ${by.join(" and ")} once in ${name} but ${quoted(row.names.join(", "))} is there twice`,
          { hint: "Only the first file may name one several times: give that file first" },
        );
      }
      byKey.set(row.key, row);
    }
    return byKey;
  });
  const known = new Set(first.rows.map(({ key }) => key));
  const shared = lookups.every((lookup) => [...lookup.keys()].some((key) => known.has(key)));
  if (!shared) {
    const names = tables.map(
      ({ name, rows }) => `${name} has ${quoted(rows[0]?.names.join(", "))}`,
    );
    throw new InputError(
      `Expected files that share values of ${by.join(" and ")} but none is shared`,
      {
        hint: `Such as: ${names.join("; ")}`,
      },
    );
  }
  const isNamedOnce = known.size === first.rows.length;
  const more = isNamedOnce
    ? [...new Map(lookups.flatMap((lookup) => [...lookup])).values()].filter(
        ({ key }) => !known.has(key),
      )
    : [];
  const columns = tables.map((table) => [...table.columns]);
  function* lines(): Generator<string> {
    yield csvLine([...by, ...columns.flat()]);
    for (const [isFirst, rows] of [
      [true, first?.rows ?? []],
      [false, more],
    ] as const) {
      for (const { key, names, values } of rows) {
        const found = [
          isFirst ? values : undefined,
          ...lookups.map((each) => each.get(key)?.values),
        ];
        const cells = columns.flatMap((its, at) =>
          its.map((column) => cellOf(found[at]?.[column])),
        );
        yield csvLine([...names, ...cells]);
      }
    }
  }
  const encoder = new TextEncoder();
  return {
    name: tableNames(sources.map(({ name }) => name)),
    format: "csv",
    async *open() {
      for (const line of lines()) yield encoder.encode(line);
    },
  };
}

async function keyedTable(
  source: TableBytes,
  { by, format, rows: rowsAt }: Parameters<typeof joinTables>[1],
): Promise<KeyedTable> {
  const { name } = source;
  const rows: { key: string; names: string[]; values: Values }[] = [];
  const columns = new Set<string>();
  const keys = new Set<string>();
  const opened = await openTable(source, format);
  const request = { source: { ...opened.source, format: opened.format }, columns: {} };
  const isJson = opened.format === "json";
  for await (const { line, all } of tableRows({ ...request, rows: isJson ? rowsAt : undefined })) {
    const names = by.map((column) => {
      const own = cellAt(all, column);
      keys.add(own === undefined ? "key" : column);
      const found = nameText((own ?? cellAt(all, "key"))?.value);
      if (found !== "") return found;
      throw new InputError(
        `Expected a value for ${column} in each row (in ${name}, line ${line})`,
        {
          hint: `--join ${by.join(",")} names the columns that each file has`,
        },
      );
    });
    rows.push({ key: JSON.stringify(names), names, values: all });
    for (const column of Object.keys(all)) columns.add(column);
  }
  for (const key of keys) columns.delete(key);
  if (isJson) columns.delete("key");
  return { name, columns, rows };
}

/** @throws InputError where two tables have a column of one name. */
function checkColumnsApart(tables: readonly KeyedTable[]): void {
  const owners = new Map<string, string>();
  for (const { name, columns } of tables) {
    for (const column of columns) {
      const owner = owners.get(column);
      if (owner !== undefined) {
        throw new InputError(
          `Expected each column in one file but ${quoted(column)} is in ${owner} and ${name}`,
          { hint: "Rename it in one of them, or join by it, too: --join id,model" },
        );
      }
      owners.set(column, name);
    }
  }
}
