import { type ColumnKinds, numeric, text } from "../../tables/columns.js";
import { sumsColumn } from "../table-options.js";
import type { Dialect } from "./dialects.js";
import {
  type ExactSum,
  exactSumColumns,
  exactSumKinds,
  isInexact,
  splitting,
} from "./exact-sums.js";

type Columns = Readonly<Record<string, string>>;

/** One SELECT of the union that makes a table of sums: rows of `from`, counted by the columns `by`. */
export interface SumsPart {
  readonly from: string;
  readonly where?: string;
  /** What tells sums apart, by the answer's columns. */
  readonly by: Columns;
  /** What is counted beside the rows. */
  readonly of?: Columns;
}

/** How rows are summed for a conclusion, as data: every engine's query and the reader of its answer are made of it. */
export interface SumsSpec<Kinds extends ColumnKinds = ColumnKinds> {
  /** The conclusion. */
  readonly name: string;
  /** The rows' columns of text and of numbers, by what the parts call them; a blank is NULL. */
  readonly texts: Columns;
  readonly numbers?: Columns;
  /** Columns that together name one row; rows that lack one of them are free. */
  readonly unique?: readonly string[];
  /** Further columns of the rows; each list is made of those before. */
  derived?(sql: Sql): readonly Columns[];
  /** Sums that no engine rounds, in one of the parts, which is from `split`. */
  readonly exact?: { readonly part: string; readonly sums: readonly ExactSum[] };
  /** What whoever prints the query has to know of its rows. */
  note?(dialect: Dialect): string;
  parts(sql: Sql): Readonly<Record<string, SumsPart>>;
  /** The answer's columns, beside those that every table of sums has. */
  readonly kinds: Kinds;
  /** Columns that no row of a part may lack, and what the rows call them. */
  readonly required: Readonly<
    Record<string, { readonly [Column in keyof NoInfer<Kinds>]?: string }>
  >;
  /** The options for which sums are made; another value needs the rows. */
  readonly only: Readonly<Record<string, unknown>>;
}

/** An engine's words. */
export interface Sql {
  number(value: number): string;
  /** How many rows fulfil a condition. */
  count(where: string): string;
}

/** The named parts of the query that hold the rows: as they are read, and with digits split. */
export const [rows, split] = ["noted", "split"] as const;

/** Columns that every table of sums has. */
export const ownKinds = {
  [sumsColumn]: text,
  part: text,
  row_count: numeric,
  repeats: numeric,
  inexact: numeric,
};

export const sumsKinds = ({ kinds, exact }: SumsSpec): ColumnKinds => ({
  ...ownKinds,
  ...kinds,
  ...exactSumKinds((exact?.sums ?? []).map(({ name }) => name)),
});

/** The one SELECT that makes a conclusion's table of sums. */
export function sumsQuery(spec: SumsSpec, from: string, dialect: Dialect): string {
  const { number, text: asText, anew } = dialect;
  const sql: Sql = {
    number: (value) => `CAST(${value} AS ${number})`,
    count: (where) => `SUM(CASE WHEN ${where} THEN 1 ELSE 0 END)`,
  };
  const { exact, unique = [] } = spec;
  // Of several sums of a column the first has all rows that count.
  const summed = new Map(exact?.sums.toReversed().map(({ of, where }) => [of, where]));
  const read = [
    ...Object.entries(spec.texts).map(([column, of]) => {
      const said = `CAST(${of} AS ${asText})`;
      return [column, `CASE WHEN TRIM(${said}) <> '' THEN ${said} END`] as const;
    }),
    ...Object.entries(spec.numbers ?? {}).map(
      ([column, of]) => [column, dialect.nullForNaN(`CAST(${of} AS ${number})`)] as const,
    ),
  ];
  const stages = [Object.fromEntries(read), ...(spec.derived?.(sql) ?? [])].map(
    (columns, at, all) => {
      const [before, its] = [at - 1, at].map((each) =>
        each === all.length - 1 ? rows : `read_${each}`,
      );
      const list = Object.entries(columns).map(([column, of]) => `${of} AS ${column}`);
      const source = at === 0 ? ["", from] : [`${before}.*,\n  `, before];
      return `${its} AS ${anew}(SELECT ${source[0]}${list.join(",\n  ")}\nFROM ${source[1]})`;
    },
  );
  const named = [
    ...stages,
    ...(summed.size === 0
      ? []
      : [splitting([...summed.keys()], { from: rows, to: split, dialect })]),
  ];
  const known = unique.map((column) => `${column} IS NOT NULL`).join(" AND ");
  const byName = `(SELECT COUNT(*) AS times FROM ${rows} WHERE ${known} GROUP BY ${unique.join(", ")}) by_name`;
  const parts: Readonly<Record<string, SumsPart>> = {
    ...spec.parts(sql),
    ...(unique.length > 0 && {
      names: { from: byName, by: {}, of: { repeats: "SUM(times - 1)" } },
    }),
  };
  const sums = exact && {
    inexact: sql.count(
      Array.from(summed, ([of, where]) => `${where} AND (${isInexact(of, dialect)})`).join(" OR "),
    ),
    ...Object.assign({}, ...exact.sums.map((each) => exactSumColumns(each, dialect))),
  };
  const selects = Object.entries(parts).map(([part, { from: source, where, by, of }]) => {
    const columns: Columns = {
      [sumsColumn]: `'${spec.name}'`,
      part: `'${part}'`,
      row_count: "COUNT(*)",
      ...by,
      ...of,
      ...(part === exact?.part && sums),
    };
    // What a part of the union lacks is nothing, of the column's kind.
    const select = Object.entries(sumsKinds(spec)).map(([column, { holds }]) => {
      const none = `CAST(NULL AS ${holds === "text" ? asText : number})`;
      return `${columns[column] ?? none} AS ${dialect.name(column)}`;
    });
    const keys = Object.values(by).join(", ");
    return [
      `SELECT ${select.join(",\n  ")}\nFROM ${source}`,
      ...(where === undefined ? [] : [`WHERE ${where}`]),
      ...(keys === "" ? [] : [`GROUP BY ${keys}`]),
    ].join("\n");
  });
  return `WITH ${named.join(",\n")}\n${selects.join("\nUNION ALL\n")}`;
}

/**
 * The query for the rows of a share of clusters, whole ones, drawn by the hash of their names: an estimate from them is
 * one of all, and its interval, over clusters, holds.
 *
 * @param options.by the column that names clusters.
 */
export function sampleQuery(
  { by, share }: { readonly by: string; readonly share: number },
  from: string,
  { text, hash }: Dialect,
): string {
  const below = Math.round(share * 2 ** 32);
  const where =
    below >= 2 ** 32
      ? ""
      : `\nWHERE ${hash(`CAST(${by} AS ${text})`)} < '${below.toString(16).padStart(8, "0")}'`;
  return `SELECT * FROM ${from}${where}`;
}
