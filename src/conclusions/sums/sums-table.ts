import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { picked } from "../../core/row-codes.js";
import { isTextColumn, textAt } from "../../core/text-column.js";
import type { ColumnKinds } from "../../tables/columns.js";
import type { ColumnsOf } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import { pluralText } from "../../views/number-text.js";
import {
  type GivenTable,
  type Inputs,
  sumsColumn,
  tableName,
  tableRequest,
} from "../table-options.js";
import {
  exactSums,
  mostRows,
  type ownKinds,
  partsIn,
  type SumsSpec,
  sumsKinds,
} from "./sums-query.js";

/** What a query of sums answered, checked. */
export interface SumsTable<Kinds extends ColumnKinds> {
  readonly columns: ColumnsOf<Kinds>;
  /** How many rows each row stands for. */
  readonly count: Float64Array;
  /** The rows of one part. */
  part(name: string): Int32Array;
  /** An exact sum of each row, rounded once. */
  sum(name: string): Float64Array;
}

/**
 * Reads what the query of a spec answered.
 *
 * @throws InputError as `readTable` does; for sums of another conclusion; for options that need the rows; where rows
 *   repeated their names or lacked what each must have; and where digits were lost.
 */
export async function readSums<const Kinds extends ColumnKinds>(
  spec: SumsSpec<Kinds>,
  [given, inputs]: readonly [GivenTable, Inputs],
): Promise<SumsTable<Kinds>> {
  const { name, unique = [], exact, required } = spec;
  const where = tableName(given);
  checkOptions(spec, given);
  const table = await readTable({
    ...(await tableRequest(given, inputs)),
    shape: { kinds: sumsKinds(spec), counts: true },
  });
  // Its kinds are these.
  const columns = table.columns as ColumnsOf<Kinds> & ColumnsOf<typeof ownKinds>;
  const { [sumsColumn]: marks, part, row_count: count, repeats, inexact } = columns;
  const other = marks.names.find((each) => each !== name);
  if (other !== undefined) {
    throw new InputError(`Expected sums of ${name} in ${where} but received those of ${other}`, {
      hint: `touchstone query --print ${name} prints the query that makes them`,
    });
  }
  // Of no rows some parts say so, by a row of zeros.
  if (count.every((times) => times === 0)) {
    throw new InputError(`Expected sums of rows in ${where} but they are of none`);
  }
  const sums = (exact?.sums ?? []).flatMap((each) => partsIn(columns, each.name));
  count.forEach((times, row) => {
    const its = textAt(part, row) ?? "";
    const lacking = Object.entries(required[its] ?? {}).find(([column]) =>
      isNothing(columns[column], row),
    );
    if (lacking !== undefined) {
      throw new InputError(
        `Expected ${lacking[1]} in each row but ${where} sums ${pluralText(times, "row")} without it`,
      );
    }
    if ((repeats[row] ?? 0) > 0) {
      const often = pluralText(repeats[row] ?? 0, "row");
      throw new InputError(
        `Expected each ${listText(unique)} once but ${often} of ${where} repeated another's`,
      );
    }
    if (its !== exact?.part) return;
    if (times > mostRows) throw tooManyRows();
    if ((inexact[row] ?? 0) > 0 || sums.some((each) => Number.isNaN(each[row]))) {
      throw new InputError(
        `Expected sums without rounding but ${where} has scores too near to 0 or too large to be summed`,
        {
          hint: "Read the rows themselves, or round scores to 15 decimals before they are summed.",
        },
      );
    }
  });
  return {
    columns,
    count,
    part: (wanted) =>
      Int32Array.from(part.codes.keys()).filter((row) => textAt(part, row) === wanted),
    sum: (wanted) => exactSums(columns, wanted),
  };
}

/** The rows of a part as often as they stand for others: for conclusions that look at each. */
export function repeated<Kinds extends ColumnKinds>(
  { columns, count, part }: SumsTable<Kinds>,
  name: string,
): ColumnsOf<Kinds> {
  const its = part(name);
  const rows = new Int32Array(picked(count, its).reduce((sum, times) => sum + times, 0));
  let at = 0;
  for (const row of its) {
    rows.fill(row, at, at + (count[row] ?? 0));
    at += count[row] ?? 0;
  }
  const each = Object.entries<unknown>(columns).map(([column, values]) => [
    column,
    values instanceof Float64Array
      ? Float64Array.from(rows, (row) => values[row] ?? Number.NaN)
      : isTextColumn(values)
        ? { codes: rows.map((row) => values.codes[row] ?? -1), names: values.names }
        : values,
  ]);
  // The same columns, of other rows.
  return Object.fromEntries(each);
}

const isNothing = (column: unknown, row: number): boolean =>
  column instanceof Float64Array
    ? Number.isNaN(column[row])
    : isTextColumn(column) && (column.codes[row] ?? -1) < 0;

function checkOptions({ only, name }: SumsSpec, given: object): void {
  const said = new Map<string, unknown>(Object.entries(given));
  for (const [option, made] of Object.entries(only)) {
    const wanted = said.get(option);
    if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(made)) continue;
    const expected = typeof made === "object" ? `no --${option}` : `--${option} ${made}`;
    throw new InputError(
      `Expected ${expected} for a table of sums of ${name} but received ${String(wanted)}`,
      {
        hint: "It needs the rows that the sums were made of: analyze their table.",
      },
    );
  }
}

/** The error for sums that contradict each other because rows of the query's answer are missing or repeated. */
export const lacking = ({ name }: SumsSpec, given: GivenTable) =>
  new InputError(
    `Expected the whole answer of the query for ${name} but ${tableName(given)} has other rows`,
    {
      hint: `Save all rows that touchstone query --print ${name} comes to, none left out or twice.`,
    },
  );

const tooManyRows = () =>
  new InputError("Expected sums of at most 8 million rows each but received larger ones", {
    hint: "Name smaller clusters: a prompt, and not a model, names what is drawn together.",
  });
