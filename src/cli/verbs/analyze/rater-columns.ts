import type { RatingRow } from "../../../analysis/agreement/agreement.js";
import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/list-text.js";
import { type ColumnKind, optionalText } from "../../../tables/columns.js";
import { MetricNames } from "../../../tables/metric-names.js";
import { raterColumns } from "../../../tables/rater-names.js";
import { tableRows } from "../../../tables/table-rows.js";

/** The annotators' columns that were named, each once. */
export function parseRaters(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.length < 2 || names.includes("") || new Set(names).size < names.length) {
    throw new InputError(
      `Expected two or more different columns for --raters but received "${text}"`,
      { hint: "The columns with an annotator's ratings each, such as --raters anna,ben" },
    );
  }
  return names;
}

/** Says which flag reads a table with a column for each annotator, where this may be one. */
export function raterShape(columns: readonly string[]): string | undefined {
  if (columns.includes("value")) return undefined;
  const named = raterColumns(columns, []);
  const found =
    named.length > 1 ? named : columns.filter((name) => raterColumns([name], columns).length > 0);
  return found.length < 2
    ? undefined
    : `With a column for each annotator: --raters ${found.join(",")}`;
}

/**
 * Reads a table with a row for each item and a column for each annotator. An item without a name
 * is known by its row.
 *
 * @throws InputError as `tableRows` does, where two rows name one item, and where rows without a
 *   name are results of several metrics, so that an item may have several.
 */
export async function readRaterColumns(
  given: GivenTable,
  {
    raters,
    value: kind,
    inputs,
  }: {
    readonly raters: readonly string[];
    readonly value: ColumnKind<string | undefined>;
    readonly inputs: Inputs;
  },
): Promise<RatingRow[]> {
  const columns = Object.fromEntries([
    ["item", optionalText],
    ...raters.map((rater) => [rater, kind] as const),
  ]);
  const rows: RatingRow[] = [];
  const request = await tableRequest(given, inputs);
  const metrics = new MetricNames();
  for await (const { row, rowName, all } of tableRows({ ...request, columns, unique: ["item"] })) {
    if (row.item === undefined && !raters.includes("metric")) metrics.add(all);
    const item = row.item ?? rowName;
    for (const annotator of raters) rows.push({ item, annotator, value: row[annotator] });
  }
  const names = [...metrics.names().values()];
  if (names.length > 1) {
    throw new InputError(
      `Expected the column item in ${tableName(given)}, since its column metric has ` +
        listText(names),
      {
        hint: "Give the rows of one metric; or say what is rated in each row: --map item=my_column",
      },
    );
  }
  return rows;
}
