import type { PairPage } from "./api.js";
import { itemOf } from "./item.js";
import type { ItemQuery, Paging } from "./item-query.js";
import type { RunView } from "./run-view.js";
import { selected } from "./select-items.js";

/** The page of a run's pairs that a query asks for: a pair is filtered and sorted by its first image. */
export function selectPairs(view: RunView, query: ItemQuery & Paging): PairPage {
  const { cursor, limit, ...filters } = query;
  const byFirst = new Map(view.pairs.map((pair) => [pair.first, pair]));
  const places = selected(view, filters).filter((at) => byFirst.has(at));
  const pairs = [...places.subarray(cursor, cursor + limit)].flatMap((at) => {
    const pair = byFirst.get(at);
    if (pair === undefined) return [];
    const { id, kind, first, second } = pair;
    return [{ id, kind, first: itemOf(view, first), second: itemOf(view, second) }];
  });
  const end = cursor + limit;
  return {
    pairs,
    total: places.length,
    next: end < places.length ? String(end) : null,
    version: view.index.version,
  };
}
