import { InputError } from "../../core/errors.js";
import { exactSum } from "../../stats/exact-sum.js";
import { type ColumnKinds, type NumberKind, numeric, text } from "../../tables/columns.js";
import { sumsColumn } from "../table-options.js";
import type { Dialect } from "./dialects.js";

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

/**
 * Bits of a number that each part of it holds, before and behind the point: sums of parts stay whole numbers that a
 * double holds exactly, whatever the order in which an engine adds them: of up to 2^23 rows, and, before the point, of
 * scores below 1,024 in absolute value.
 */
const parts = [
  { bits: 20, unit: 2 ** -20 },
  { bits: 30, unit: 2 ** -50 },
  { bits: 30, unit: 2 ** -80 },
  { bits: 30, unit: 2 ** -110 },
] as const;

/** From here on a score's first part is itself too large for a double to hold exactly: it has no parts. */
const tooLargeAlone = (Number.MAX_SAFE_INTEGER + 1) * parts[0].unit;

/** A sum whose digits are split over several columns, so that no engine rounds it. */
interface ExactSum {
  readonly name: string;
  /** SQL of what is summed: a column of `split`. */
  readonly of: string;
  /** SQL of the rows whose value counts. */
  readonly where: string;
}

/** The names of a sum's columns. */
const partNames = (name: string) => parts.map((_, at) => `sum_${name}_${at + 1}`);

/**
 * Named parts of a query, one after the other, that split columns of doubles into whole numbers: of `column` the last
 * one, `to`, has column_1 to column_4, of which the fourth is no whole number where digits are lost.
 */
const splitting = (
  columns: readonly string[],
  {
    from,
    to,
    dialect: { whole, anew },
  }: { readonly from: string; readonly to: string; readonly dialect: Dialect },
): string =>
  parts
    .map(({ bits }, at) => {
      const before = at === 0 ? from : `${to}_${at}`;
      const rest = columns.map((column) => {
        const scaled = 2 ** bits;
        if (at === 0) {
          return `CASE WHEN ABS(${column}) < ${tooLargeAlone} THEN ${column} * ${scaled} END AS ${column}_1`;
        }
        return `(${column}_${at} - ${whole(`${column}_${at}`)}) * ${scaled} AS ${column}_${at + 1}`;
      });
      const name = at === parts.length - 1 ? to : `${to}_${at + 1}`;
      return `${name} AS ${anew}(SELECT ${before}.*, ${rest.join(", ")} FROM ${before})`;
    })
    .join(",\n");

/** Columns of a SELECT that sum what was split. */
const exactSumColumns = (
  { name, of, where }: ExactSum,
  { whole }: Pick<Dialect, "whole">,
): Record<string, string> =>
  Object.fromEntries(
    partNames(name).map((part, at) => [
      part,
      `SUM(CASE WHEN ${where} THEN ${whole(`${of}_${at + 1}`)} ELSE 0 END)`,
    ]),
  );

/** Rows of one sum of which no engine rounds a part. */
export const mostRows = 2 ** 23;

/** SQL that is true where a split column lost digits, or is so large that it has no parts. */
const isInexact = (column: string, { whole }: Pick<Dialect, "whole">): string =>
  `NOT (ABS(${column}) < ${tooLargeAlone}) OR ${column}_${parts.length} <> ${whole(`${column}_${parts.length}`)}`;

/** The columns in which a table holds a sum. */
const exactSumKinds = (
  names: readonly string[],
): Readonly<Record<string, NumberKind<number | null>>> =>
  Object.fromEntries(
    names.flatMap((name) => partNames(name).map((part) => [part, numeric] as const)),
  );

/** The parts of a sum, by row: no number where scores were infinite. */
export const partsIn = (columns: Readonly<Record<string, unknown>>, name: string): Float64Array[] =>
  partNames(name)
    .map((part) => columns[part])
    .filter((each) => each instanceof Float64Array);

const tooLarge = (name: string) =>
  new InputError(`Expected sums of ${name} that a double holds exactly but received larger ones`, {
    hint: "Read the rows themselves, or divide the scores by 1,000 before they are summed.",
  });

/**
 * A sum of each row, rounded once; 0 where it has none.
 *
 * @throws InputError where a part is so large that an engine may have rounded.
 */
export function exactSums(columns: Readonly<Record<string, unknown>>, name: string): Float64Array {
  const numbers = partsIn(columns, name);
  const values = new Float64Array(numbers.length);
  return Float64Array.from(numbers[0] ?? [], (_, row) => {
    numbers.forEach((each, at) => {
      const sum = each[row] ?? 0;
      if (Math.abs(sum) > Number.MAX_SAFE_INTEGER) throw tooLarge(name);
      values[at] = Number.isNaN(sum) ? 0 : sum * (parts[at]?.unit ?? 0);
    });
    return exactSum(values);
  });
}
