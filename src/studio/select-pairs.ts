import { type ExcludedTriplets, tripletOf } from "../analysis/pairs/image-pairs.js";
import type { PairPage } from "./api.js";
import { isKeptBy } from "./indexed-pairs.js";
import { itemOf } from "./item.js";
import type { Paging, PairQuery } from "./item-query.js";
import type { RunView } from "./run-view.js";
import { selected, tableOf } from "./select-items.js";

/**
 * The page of a run's pairs that a query asks for: a pair is filtered and sorted by its first image, and
 * kept by what its filter scored both.
 *
 * @param excluded triplets that were excluded by hand, which are shown with the reason
 */
export function selectPairs(
  view: RunView,
  query: PairQuery & Paging,
  excluded: ExcludedTriplets = new Map(),
): PairPage {
  const { cursor, limit, keptBy, keepFrom, kept, ...filters } = query;
  const filter = tableOf(view, { metric: keptBy });
  const isKept = filter === undefined ? () => true : isKeptBy(filter, keepFrom);
  const wanted = view.pairs.filter((pair) => isKept(pair) === (kept === "yes"));
  const byFirst = new Map(wanted.map((pair) => [pair.first, pair]));
  const places = selected(view, filters).filter((at) => byFirst.has(at));
  const pairs = [...places.subarray(cursor, cursor + limit)].flatMap((at) => {
    const pair = byFirst.get(at);
    if (pair === undefined) return [];
    const { id, kind, first, second } = pair;
    const row = view.index.rows[first];
    const reason = row && excluded.get(tripletOf(row));
    const shown = { id, kind, first: itemOf(view, first), second: itemOf(view, second) };
    return [reason === undefined ? shown : { ...shown, excluded: reason }];
  });
  const end = cursor + limit;
  return {
    pairs,
    total: places.length,
    next: end < places.length ? String(end) : null,
    version: view.index.version,
  };
}
