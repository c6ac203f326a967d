import type { ItemDetail } from "./api.js";
import type { ImageRow } from "./image-row.js";
import { itemOf } from "./item.js";
import { Refusal } from "./refusal.js";
import type { RunView } from "./run-view.js";

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
