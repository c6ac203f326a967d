import { InputError } from "../../core/errors.js";
import { exactSum } from "../../stats/exact-sum.js";
import { type NumberKind, numeric } from "../../tables/columns.js";
import type { Dialect } from "./dialects.js";

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
export interface ExactSum {
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
export const splitting = (
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
export const exactSumColumns = (
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
export const isInexact = (column: string, { whole }: Pick<Dialect, "whole">): string =>
  `NOT (ABS(${column}) < ${tooLargeAlone}) OR ${column}_${parts.length} <> ${whole(`${column}_${parts.length}`)}`;

/** The columns in which a table holds a sum. */
export const exactSumKinds = (
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
