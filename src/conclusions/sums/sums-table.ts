import { InputError } from "../../core/errors.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import type { ColumnKinds, text } from "../../tables/columns.js";
import type { Table } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import {
  type GivenTable,
  type Inputs,
  sumsColumn,
  tableName,
  tableRequest,
} from "../table-options.js";

/** @throws InputError as `readTable` does, and for sums of another conclusion. */
export async function readSums<
  const Kinds extends ColumnKinds & { readonly [sumsColumn]: typeof text },
>(
  kinds: Kinds,
  name: string,
  [given, inputs]: readonly [GivenTable, Inputs],
): Promise<Table<Kinds>> {
  const table = await readTable({ ...(await tableRequest(given, inputs)), shape: { kinds } });
  const found: TextColumn = table.columns[sumsColumn];
  const other = found.names.find((each) => each !== name);
  if (other !== undefined) {
    throw new InputError(
      `Expected sums of ${name} in ${tableName(given)} but received those of ${textAt(found, 0)}`,
      { hint: `touchstone query --print ${name} prints the query that makes them` },
    );
  }
  return table;
}
