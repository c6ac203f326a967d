import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import type { AuditedPair, AuditedPairs, CompletePair } from "./audited-rows.js";
import { type IndexChange, indexChanges, queryClusters } from "./index-change.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** A number about one set of images, such as how well they show the query; null without one. */
export interface SetValue
  extends Pick<StereotypeRow, "query" | "category" | "model" | "phase" | "imageSet"> {
  readonly value: number | null;
}

export interface ValueChange extends IndexChange {
  readonly models: Readonly<Record<string, IndexChange>>;
}

/** A number about image sets, before and after; initial minus refined, query-clustered. */
export interface ValueConclusion {
  readonly overall: ValueChange;
  readonly categories: Readonly<Record<string, ValueChange>>;
  readonly intervals: IntervalMethod;
}

/**
 * How a number about sets of images changes from initial to refined prompts, over the sets that have
 * it in both phases, in the layout of the index of stereotypes.
 *
 * @param range where the number can lie.
 */
export function auditValues(
  values: readonly SetValue[],
  range: readonly [low: number, high: number],
  options: IntervalOptions = {},
): ValueConclusion {
  const pairs = valuePairs(values);
  const method = intervalMethod(options, {
    clusters: queryClusters(pairs.complete).count,
    clusteredBy: "query",
  });
  const width = range[1] - range[0];
  const changeOf = (category?: string): ValueChange => {
    const its = values.filter((one) => category === undefined || one.category === category);
    const models = [...new Set(its.map(({ model }) => model))];
    const scopes = [{ category }, ...models.map((model) => ({ category, model }))];
    const [change, ...ofModels] = indexChanges(pairs, scopes, method, [-width, width]);
    if (change === undefined) throw new RangeError("Expected a change for each scope");
    return {
      ...change,
      models: Object.fromEntries(ofModels.map((each, at) => [models[at] ?? "", each])),
    };
  };
  const categories = [...new Set(values.map(({ category }) => category))];
  return {
    overall: changeOf(),
    categories: Object.fromEntries(categories.map((each) => [each, changeOf(each)])),
    intervals: method,
  };
}

/** The sets that have the number before and after. */
export const completePairs = (values: readonly SetValue[]): readonly CompletePair[] =>
  valuePairs(values).complete;

/** Sets put together before and after, in an order of their own. */
function valuePairs(values: readonly SetValue[]): AuditedPairs {
  type Found = { pair: AuditedPair; initial: number | null; refined: number | null };
  const found = new Map<string, Found>();
  for (const { category, query, model, imageSet, phase, value } of values) {
    const id = JSON.stringify([category, query, model, imageSet]);
    const none = { initial: new Map(), refined: new Map() };
    const pair = { category, query, model, imageSet, answers: none };
    const one = found.get(id) ?? { pair, initial: null, refined: null };
    one[phase] = value;
    found.set(id, one);
  }
  const complete: CompletePair[] = [];
  const dropped: AuditedPair[] = [];
  for (const [, { pair, initial, refined }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (initial === null || refined === null) dropped.push(pair);
    else complete.push({ ...pair, initial, refined });
  }
  return { complete, dropped };
}
