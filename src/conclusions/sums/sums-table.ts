import { InputError, MissingColumns } from "../../core/errors.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import type { ColumnKinds, text } from "../../tables/columns.js";
import type { Table } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";

/** Column that marks a table of sums: it holds the conclusion's name. */
export const sumsColumn = "touchstone_sums";

/** Reads rows, or, where the table is one of sums, these. */
export async function rowsOrSums<Given extends GivenTable, Rows, Sums>(
  rows: (given: Given, inputs: Inputs) => Promise<Rows>,
  sums: (given: Given, inputs: Inputs) => Promise<Sums>,
  [given, inputs]: readonly [Given, Inputs],
): Promise<Rows | Sums> {
  try {
    return await rows(given, inputs);
  } catch (error) {
    if (!(error instanceof MissingColumns && error.columns.includes(sumsColumn))) throw error;
    if (given.file.includes("-")) {
      throw new InputError("Expected a file of sums but received them on standard input", {
        hint: "Save them, and name the file.",
      });
    }
    return sums(given, inputs);
  }
}

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
