import { Cells, rowValues } from "./cells.js";
import { cellAt, partsOf } from "./nested-value.js";

/** The cells of a name that leads into objects or joins columns; undefined where no row has it. */
export function deeperCells(
  name: string,
  count: number,
  cellsOf: (column: string) => Cells | undefined,
): Cells | undefined {
  const roots = [...new Set(partsOf(name).flatMap((part) => [part, part.split(".")[0] ?? part]))];
  const found = roots.flatMap((root) => {
    const cells = cellsOf(root);
    return cells === undefined ? [] : [[root, cells] as const];
  });
  if (found.length === 0) return undefined;
  const made = new Cells();
  made.makeRoom(count);
  let isThere = false;
  for (let row = 0; row < count; row++) {
    const cell = cellAt(rowValues(found, row), name);
    if (cell === undefined) continue;
    isThere = true;
    made.put(row, cell.value);
  }
  return isThere ? made : undefined;
}
