import type { Item, ItemScore } from "./api.js";
import type { RunView } from "./run-view.js";
import type { ScoreTable } from "./score-table.js";

/**
 * An image of the index, as the page shows it. No file is read for it.
 *
 * @param tables the metrics whose scores it has; all of the run, if not given
 */
export function itemOf(
  view: RunView,
  at: number,
  tables: readonly ScoreTable[] = view.index.tables,
): Item {
  const { index } = view;
  const row = index.rows[at];
  if (row === undefined) throw new RangeError(`Expected a place of the index but received ${at}`);
  const origin = index.originOf(row);
  const { key, image, width, height, text, role, sample, generator, reason } = row;
  return {
    key,
    image,
    width,
    height,
    text,
    promptText: origin?.text !== undefined && origin.text !== text ? origin.text : null,
    role,
    sample,
    generator,
    domain: origin?.domain ?? null,
    reason,
    scores: tables.flatMap((table): ItemScore[] => {
      const score = table.get(at);
      if (score === undefined) return [];
      const margins = view.marginsOf(table);
      const margin = margins.margin(at);
      return [
        {
          column: table.id,
          ...score,
          margin: Number.isNaN(margin) ? null : margin,
          failed: margins.failed(at) ?? null,
        },
      ];
    }),
  };
}
