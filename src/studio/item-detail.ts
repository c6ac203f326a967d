import type { Item, ItemDetail, ItemScore } from "./api.js";
import type { ImageRow } from "./image-row.js";
import { Refusal } from "./refusal.js";
import type { RunView } from "./run-view.js";
import type { ScoreTable } from "./score-table.js";

/** An image with the keys of all that was said of it. */
export async function itemDetail(view: RunView, key: string): Promise<ItemDetail> {
  const { index } = view;
  const at = index.rowOf(key);
  if (at === undefined) throw noRecord();
  const placed = index.tables.flatMap((table) => {
    const place = table.placeOf(at);
    return place === undefined ? [] : [{ column: table.id, place }];
  });
  const records = await index.read(placed.map(({ place }) => place));
  const pair = view.pairs.find(({ first, second }) => first === at || second === at);
  return {
    ...itemOf(view, at),
    keys: Object.fromEntries(placed.map(({ column }, one) => [column, records[one]?.key ?? ""])),
    pair: pair?.id ?? null,
    others: othersOf(index.rows, at).map((other) => itemOf(view, other)),
  };
}

const mostOthers = 24;

/** Where images stand that were made for the same as the one at a place, in the same role. */
function othersOf(rows: readonly ImageRow[], at: number): readonly number[] {
  const found: number[] = [];
  const one = rows[at];
  for (const [other, { prompt, role }] of rows.entries()) {
    if (other === at || prompt !== one?.prompt || role !== one.role) continue;
    found.push(other);
    if (found.length === mostOthers) break;
  }
  return found;
}

/** Refusal for a key that no record has. */
export const noRecord = () =>
  new Refusal(404, "no-record", "There is no record with this key in the run", {
    hint: "Keys are whole here: 32 characters.",
  });

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
