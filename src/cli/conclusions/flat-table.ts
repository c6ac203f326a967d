import type { Estimate } from "../../stats/estimate.js";
import type { CellTable } from "../../tables/cell-table.js";

interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/** A line of a CSV by its columns. */
export type CsvRow = Readonly<Record<string, string | number | null | Estimate | Bounds>>;

/** An estimate in a line that has none. */
export const noEstimate: Estimate = { value: null, low: null, high: null };

/**
 * A table with the columns of the first row, which all rows have; unrounded. An estimate `rate` takes the
 * columns rate, rateLow and rateHigh; bounds take the latter two.
 *
 * @example flatTable([{ n: 4, rate: { value: 0.5, low: 0, high: 1 } }])
 *   // { columns: ["n", "rate", "rateLow", "rateHigh"], rows: [[4, 0.5, 0, 1]] }
 */
export function flatTable(rows: readonly CsvRow[]): CellTable {
  const [first = {}] = rows;
  const columns = Object.entries(first).flatMap(([name, cell]) => {
    if (typeof cell !== "object" || cell === null) return [name];
    return [...("value" in cell ? [name] : []), `${name}Low`, `${name}High`];
  });
  const cells = (row: CsvRow) =>
    Object.values(row).flatMap((cell) => {
      if (typeof cell !== "object" || cell === null) return [cell];
      return [...("value" in cell ? [cell.value] : []), cell.low, cell.high];
    });
  return { columns, rows: rows.map(cells) };
}
