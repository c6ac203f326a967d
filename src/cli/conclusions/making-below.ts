import {
  type MadeImage,
  type MakingOfImages,
  makingDifferences,
} from "../../analysis/comparison/image-making.js";
import { madeImage } from "../../benchmarks/provenance.js";
import type { Records } from "../../core/step.js";
import { makingTable, makingTables } from "../../views/making-table.js";
import { printable } from "../../views/printable.js";
import { printedTable } from "../../views/printed.js";
import type { View } from "../../views/view.js";
import type { Style } from "../terminal/style.js";
import { table } from "../terminal/terminal-table.js";
import { wrap } from "../terminal/wrap.js";

/** What the records of a run say of how its images were made. */
export async function imagesOfRecords(records: Records): Promise<MadeImage[]> {
  const found: MadeImage[] = [];
  for await (const record of records.ofType("image")) {
    const image = madeImage(record);
    if (image !== undefined) found.push(image);
  }
  return found;
}

/** A view with how images were made below it, and what differs beside the model among its caveats. */
export const withMaking = <Shown extends View>(
  view: Shown,
  all: readonly MakingOfImages[],
): Shown => ({
  ...view,
  tables: [...view.tables, ...makingTables(all)],
  caveats: [...makingDifferences(all), ...view.caveats],
});

/** How images were made, on a terminal; nothing where no more than their size is known. */
export function makingText(all: readonly MakingOfImages[], { bold, width }: Style): string {
  const differences = makingDifferences(all);
  const isTold = all.some(({ settings: { size: _, ...others } }) => Object.keys(others).length > 0);
  if (!isTold && differences.length === 0) return "";
  const { title, columns, rows } = printedTable(makingTable(all));
  const lines = table(
    columns,
    rows.map((row) => row.map(printable)),
    width,
  );
  return [bold(title), lines, ...differences.map((one) => wrap(printable(one), width))].join("\n");
}
