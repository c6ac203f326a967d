import { type ExcludedTriplets, tripletOf } from "../analysis/pairs/image-pairs.js";
import { radixOrder } from "../stats/radix-order.js";
import type { Item, ItemPage, PairPage } from "./api.js";
import { columnName } from "./column-name.js";
import { itemOf } from "./item-detail.js";
import type { ItemQuery, Paging, PairQuery } from "./item-query.js";
import { Refusal } from "./refusal.js";
import type { RunIndex } from "./run-index.js";
import { isKeptBy, type RunView } from "./run-view.js";
import type { ScoreTable } from "./score-table.js";

const tests = {
  "<": (value: number, bound: number) => value < bound,
  "<=": (value: number, bound: number) => value <= bound,
  ">": (value: number, bound: number) => value > bound,
  ">=": (value: number, bound: number) => value >= bound,
  "=": (value: number, bound: number) => value === bound,
} as const;

const shape = /^(?<name>.+?)\s*(?<test><=|>=|<|>|=)\s*(?<bound>-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)$/i;

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter(Boolean);

/** The page of a run's images that a query asks for. */
export function selectItems(view: RunView, query: ItemQuery & Paging): ItemPage {
  const places = selected(view, query);
  const { cursor, limit } = query;
  const items: Item[] = [];
  const apart = apartOf(view, query);
  for (const at of places.subarray(cursor, cursor + limit)) {
    const item = itemOf(view, at);
    const distance = apart?.[at] ?? Number.NaN;
    items.push(
      apart === undefined ? item : { ...item, apart: Number.isNaN(distance) ? null : distance },
    );
  }
  const end = cursor + limit;
  return {
    items,
    total: places.length,
    next: end < places.length ? String(end) : null,
    version: view.index.version,
  };
}

/** Keeps a run's last answer to a query but for its page, since pages follow each other. */
export function keepingLast<Query extends object, Found>(
  find: (view: RunView, query: Query) => Found,
): (view: RunView, query: Query & Partial<Paging>) => Found {
  const kept = new WeakMap<RunView, { readonly name: string; readonly found: Found }>();
  return (view, query) => {
    const whole = { ...query, limit: undefined, cursor: undefined };
    const name = JSON.stringify([view.index.version, view.notes.version, whole]);
    const known = kept.get(view);
    if (known?.name === name) return known.found;
    const found = find(view, query);
    kept.set(view, { name, found });
    return found;
  };
}

/** The places of all images that are asked for. */
export const selected = keepingLast((view, query: ItemQuery) =>
  sorted(view, filtered(view, query), query),
);

function filtered(view: RunView, query: ItemQuery): Uint32Array {
  const tests = testsOf(view, query);
  return view.order.filter((at) => tests.every((test) => test(at)));
}

type Test = (at: number) => boolean;

function testsOf(view: RunView, query: ItemQuery): readonly Test[] {
  const { index } = view;
  const { rows } = index;
  const table = tableOf(view, query);
  const tables = table === undefined ? index.tables : [table];
  const tests: Test[] = [];
  const { text = "", domain, role, generator, min, max, failed, reason } = query;
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const texts = words.length === 0 ? [] : view.texts;
  if (words.length > 0) tests.push((at) => words.every((word) => texts[at]?.includes(word)));
  const row = (at: number) => rows[at];
  if (query.key !== undefined) tests.push((at) => row(at)?.key === query.key);
  if (domain !== undefined) tests.push((at) => originDomain(view, at) === domain);
  if (role !== undefined) tests.push((at) => row(at)?.role === role);
  if (generator !== undefined) tests.push((at) => row(at)?.generator === generator);
  // A comparison with NaN is false: what has no score is in no range.
  const inRange = (test: (value: number) => boolean) =>
    tests.push((at) => tables.some((one) => test(one.value(at))));
  if (min !== undefined) inRange((value) => value >= min);
  if (max !== undefined) inRange((value) => value <= max);
  if (failed !== undefined) {
    const margins = tables.map((one) => view.marginsOf(one));
    const isFailed = failed === "yes";
    tests.push((at) => {
      const own = margins.map((by) => by.failed(at)).filter((one) => one !== undefined);
      return own.length > 0 && own.includes(true) === isFailed;
    });
  }
  if (reason !== undefined) {
    const isMeant = (found: string | null | undefined) =>
      reason === "any" ? typeof found === "string" : found === reason;
    tests.push(
      (at) => isMeant(row(at)?.reason) || tables.some((one) => isMeant(one.get(at)?.reason)),
    );
  }
  const { spread, gap, tag } = query;
  for (const { table: one, isMet } of conditionsIn(view, query)) {
    // A comparison with NaN is false: what has no score meets no condition.
    tests.push((at) => isMet(one.value(at)));
  }
  if (tag !== undefined) {
    const { images } = view.notes;
    tests.push((at) => images[row(at)?.key ?? ""]?.tags.includes(tag) === true);
  }
  const apart = (distances: Float64Array, least: number) =>
    tests.push((at) => (distances[at] ?? Number.NaN) >= least);
  if (spread !== undefined) apart(view.spreads, spread);
  if (gap !== undefined) apart(view.gaps(table), gap);
  return tests;
}

/** The distances of ranks that a query is about; undefined where it is about none. */
function apartOf(view: RunView, query: ItemQuery): Float64Array | undefined {
  const { sort, spread, gap } = query;
  if (sort === "people" || (gap !== undefined && sort !== "disagreement")) {
    return view.gaps(tableOf(view, query));
  }
  return sort === "disagreement" || spread !== undefined ? view.spreads : undefined;
}

const originDomain = ({ index }: RunView, at: number) => {
  const row = index.rows[at];
  return row === undefined ? undefined : index.originOf(row)?.domain;
};

/** The conditions that a query sets on scores. @throws Refusal where one can't be read */
export const conditionsIn = (
  { index }: RunView,
  { where }: Pick<ItemQuery, "where">,
): readonly Condition[] => (where === undefined ? [] : conditionsOf(where, index));

/** @throws Refusal where the query names a column that the run has not. */
export function tableOf(
  { index }: RunView,
  { metric }: Pick<ItemQuery, "metric">,
): ScoreTable | undefined {
  if (metric === undefined) return undefined;
  const found = index.table(metric);
  if (found !== undefined) return found;
  throw new Refusal(400, "unknown-metric", `Expected a metric of the run but received ${metric}`, {
    hint: `It has ${index.tables.map(({ id }) => id).join(", ")}.`,
  });
}

/** Sorts by the value; equal values keep the order of the plan, missing ones come last in both directions. */
function sorted(view: RunView, places: Uint32Array, query: ItemQuery): Uint32Array {
  const { sort, order } = query;
  const sign = order === "up" ? 1 : -1;
  if (sort === "plan") return sign === 1 ? places : places.reverse();
  const valueAt = valuesOf(view, query);
  const given = new Uint32Array(places.length);
  const values = new Float64Array(places.length);
  const missing: number[] = [];
  let count = 0;
  for (const at of places) {
    const value = valueAt(at);
    if (Number.isNaN(value)) missing.push(at);
    else {
      values[count] = sign * value;
      given[count++] = at;
    }
  }
  const { order: inOrder } = radixOrder(values.subarray(0, count));
  const all = new Uint32Array(places.length);
  for (let place = 0; place < count; place++) all[place] = given[inOrder[place] ?? 0] ?? 0;
  all.set(missing, count);
  return all;
}

function valuesOf(view: RunView, query: ItemQuery): (at: number) => number {
  if (query.sort === "disagreement" || query.sort === "people") {
    const distances = apartOf(view, query);
    return (at) => distances?.[at] ?? Number.NaN;
  }
  const table = tableOf(view, query);
  if (table === undefined) {
    throw new Refusal(400, "no-metric", `Expected a metric to sort by ${query.sort}`, {
      hint: "Name a column: metric=ID",
    });
  }
  if (query.sort === "score") return (at) => table.value(at);
  const margins = view.marginsOf(table);
  return (at) => margins.margin(at);
}

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

/** A condition on an image's score by one metric. */
interface Condition {
  readonly table: ScoreTable;
  readonly isMet: (value: number) => boolean;
}

/**
 * Reads conditions such as `vqa < 0.5 and clip > 0.3`: each names a metric by words that its name begins
 * with. An image without the score meets none of them.
 *
 * @throws Refusal where one can't be read, or names no metric or several
 */
function conditionsOf(text: string, index: RunIndex): readonly Condition[] {
  return text
    .split(/\s+and\s+/i)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const { name = "", test = "", bound = "" } = shape.exec(part.trim())?.groups ?? {};
      const [, compare] = Object.entries(tests).find(([sign]) => sign === test) ?? [];
      if (compare === undefined) {
        throw new Refusal(400, "where", `Expected a metric, < or >, and a number in “${part}”`, {
          hint: "Write conditions as: vqa < 0.5 and clip > 0.3",
        });
      }
      const limit = Number(bound);
      return { table: tableNamed(name, index), isMet: (value) => compare(value, limit) };
    });
}

/**
 * The column whose name has words that begin with all of these. Of several those of the images' own texts
 * count, and of these the ones whose name begins so.
 */
function tableNamed(name: string, { tables }: RunIndex): ScoreTable {
  const columns = tables.map((table) => table.describe(0));
  const named = tables.map((table, at) => ({
    table,
    title: columns[at] === undefined ? table.id : columnName(columns[at], columns),
  }));
  const exact = named.find(({ table, title }) => [table.id, title].includes(name.trim()));
  if (exact !== undefined) return exact.table;
  const wanted = wordsIn(name);
  const meant = named.filter(({ title }) => {
    const words = wordsIn(title);
    return wanted.every((word) => words.some((one) => one.startsWith(word)));
  });
  const own = meant.filter(({ table: { against } }) => against === "own" || against === "prompt");
  const first = own.filter(({ title }) => title.toLowerCase().startsWith(wanted[0] ?? ""));
  const [found, ...others] = [first, own, meant].find(({ length }) => length > 0) ?? [];
  if (found !== undefined && others.length === 0) return found.table;
  const several = found === undefined ? "names no metric of the run" : "names several metrics";
  throw new Refusal(400, "where", `“${name.trim()}” ${several}`, {
    hint: `Its metrics: ${(found === undefined ? named : [found, ...others])
      .map(({ title }) => title)
      .join("; ")}`,
  });
}
