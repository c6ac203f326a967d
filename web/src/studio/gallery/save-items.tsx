import { useState } from "react";
import { append } from "../../../../src/core/arrays.js";
import type { Item, ItemPage, ScoreColumn } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { csvLine } from "../../../../src/tables/cell-table.js";
import { countText } from "../../shell/numbers.js";
import { pageOfItems } from "../queries.js";
import type { GallerySearch } from "./gallery-search.js";

/** Saves the images that the filters leave as CSV, in the order that is shown: a line each, with every score. */
export function SaveItems({
  run,
  search,
  columns,
  total,
}: {
  readonly run: string;
  readonly search: GallerySearch;
  readonly columns: readonly ScoreColumn[];
  readonly total: number;
}) {
  const [state, setState] = useState("");
  const save = async () => {
    const lines = [headings(columns)];
    for (let next: string | null = "0"; next !== null; ) {
      const page: ItemPage = await pageOfItems(run, search, next);
      append(
        lines,
        page.items.map((item) => lineOf(item, columns)),
      );
      next = page.next;
      setState(`${countText(lines.length - 1)} of ${countText(total)} …`);
    }
    keep(`${run}-images.csv`, lines);
    setState("Saved ✓");
  };
  return (
    <>
      <button
        type="button"
        className="save"
        disabled={total === 0 || state.endsWith("…")}
        onClick={() => save().catch(({ message }: Error) => setState(message))}
      >
        Save as CSV
      </button>{" "}
      <span role="status">{state}</span>
    </>
  );
}

const headings = (columns: readonly ScoreColumn[]) =>
  csvLine([
    ...["key", "image", "text", "prompt", "role", "sample", "generator", "domain", "reason"],
    ...columns.flatMap((column) => {
      const name = columnName(column, columns);
      return column.hasMargin ? [name, `${name} is wrong`] : [name];
    }),
  ]);

function lineOf(item: Item, columns: readonly ScoreColumn[]): string {
  const { key, image, text, promptText, role, sample, generator, domain, reason } = item;
  return csvLine([
    ...[key, image, text, promptText, role, sample, generator, domain, reason],
    ...columns.flatMap((column) => {
      const score = item.scores.find((one) => one.column === column.id);
      const value = score?.value ?? null;
      const failed = score?.failed == null ? null : Number(score.failed);
      return column.hasMargin ? [value, failed] : [value];
    }),
  ]);
}

function keep(name: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...lines], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
