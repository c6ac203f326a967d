import type { CellTable, TableCell } from "../tables/cell-table.js";

/**
 * A table as Parquet, packed with Snappy. A column of whole numbers below 2^31 is INT32, of other
 * numbers DOUBLE, else text (UTF-8); any cell may be null.
 *
 * @example await writeFileAtomically("rows.parquet", await parquetBytes({ columns: ["n"], rows: [[1]] }))
 */
export async function parquetBytes({ columns, rows }: CellTable): Promise<Uint8Array> {
  // Loaded when first used: most tables are text.
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? null);
    const type = typeOf(cells);
    return { name, type, data: type === "STRING" ? cells.map(asText) : cells };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function typeOf(cells: readonly TableCell[]): "INT32" | "DOUBLE" | "STRING" {
  const filled = cells.filter((cell) => cell !== null);
  if (filled.length === 0 || !filled.every((cell) => typeof cell === "number")) return "STRING";
  return filled.every((cell) => (cell | 0) === cell && !Object.is(cell, -0)) ? "INT32" : "DOUBLE";
}

const asText = (cell: TableCell) => (cell === null ? null : String(cell));
