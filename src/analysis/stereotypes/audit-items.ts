import type { Estimate } from "../../stats/estimate.js";
import { type IntervalOptions, undefinedEstimate } from "../inference/intervals.js";
import { type ScoreSummary, scoreSummary } from "../pairs/score-summary.js";
import { auditedPairs } from "./audited-rows.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** How often an item is flagged in one category and phase, over complete pairs or, before any, over sets. */
export interface ItemEstimate {
  readonly category: string;
  readonly item: string;
  readonly phase: StereotypeRow["phase"];
  /** Answers. */
  readonly n: number;
  readonly rate: Estimate;
}

/** The items' rates with intervals that draw whole queries; items in the order of the rows. */
export function auditItems(
  rows: readonly StereotypeRow[],
  options: IntervalOptions = {},
): ItemEstimate[] {
  const { complete } = auditedPairs(rows);
  return itemsOf(rows).flatMap(({ category, item }) =>
    (["initial", "refined"] as const).map((phase) => {
      const answers = complete.flatMap((pair) => {
        const value = pair.answers[phase].get(item);
        if (pair.category !== category || value === undefined) return [];
        return [answerOf(pair, value)];
      });
      return { category, item, phase, ...rateOf(answers, options) };
    }),
  );
}

/** The same where images were audited once: over all sets with an answer. */
export function initialItems(
  rows: readonly StereotypeRow[],
  options: IntervalOptions = {},
): ItemEstimate[] {
  const initial = rows.filter(({ phase }) => phase === "initial");
  return itemsOf(initial).map(({ category, item }) => {
    const answers = initial.flatMap((row) =>
      row.category === category && row.item === item && row.present !== null
        ? [answerOf(row, row.present)]
        : [],
    );
    return { category, item, phase: "initial", ...rateOf(answers, options) };
  });
}

const itemsOf = (rows: readonly StereotypeRow[]) => [
  ...new Map(
    rows.map(({ category, item }) => [JSON.stringify([category, item]), { category, item }]),
  ).values(),
];

const answerOf = (
  { query, model, imageSet }: Pick<StereotypeRow, "query" | "model" | "imageSet">,
  value: 0 | 1,
) => ({ id: JSON.stringify([query, model, imageSet]), prompt: query, value });

function rateOf(
  answers: readonly ReturnType<typeof answerOf>[],
  options: IntervalOptions,
): Pick<ItemEstimate, "n" | "rate"> {
  const { n, mean } = scoreSummary(answers, { range: [0, 1], ...options });
  return { n, rate: n === 0 ? undefinedEstimate("nothing was answered") : mean };
}

/** The index of image sets that were audited once: of all, of a category, or of a model within it. */
export interface InitialIndex {
  /** Null where all categories are pooled. */
  readonly category: string | null;
  /** Null where all models are pooled. */
  readonly model: string | null;
  /** Over sets with an answer; intervals draw whole queries. */
  readonly index: ScoreSummary;
  readonly unscoredItems: number;
  readonly items: number;
}

/**
 * The Social Stereotype Index before anything was rewritten: of all sets where there are several
 * categories, then of each category, over all models where there are several and by each.
 */
export function initialIndex(
  rows: readonly StereotypeRow[],
  options: IntervalOptions = {},
): InitialIndex[] {
  const own = rows.filter(({ phase }) => phase === "initial");
  const models = [...new Set(own.map(({ model }) => model))];
  const categories = [...new Set(own.map(({ category }) => category))];
  return [...(categories.length > 1 ? [null] : []), ...categories].flatMap((category) =>
    [...(models.length > 1 ? [null] : []), ...models].map((model) =>
      indexOf(
        own.filter(
          (row) =>
            (category === null || row.category === category) &&
            (model === null || row.model === model),
        ),
        { category, model, options },
      ),
    ),
  );
}

function indexOf(
  rows: readonly StereotypeRow[],
  {
    options,
    ...scope
  }: Pick<InitialIndex, "category" | "model"> & { readonly options: IntervalOptions },
): InitialIndex {
  const sets = new Map<string, { query: string; answers: number[] }>();
  for (const { category, query, model, imageSet, present } of rows) {
    const id = JSON.stringify([category, query, model, imageSet]);
    const set = sets.get(id) ?? { query, answers: [] };
    sets.set(id, set);
    if (present !== null) set.answers.push(present);
  }
  const index = scoreSummary(
    [...sets].map(([id, { query, answers }]) => ({
      id,
      prompt: query,
      value:
        answers.length === 0 ? null : answers.reduce((sum, one) => sum + one, 0) / answers.length,
    })),
    { range: [0, 1], ...options },
  );
  const unscoredItems = rows.filter(({ present }) => present === null).length;
  return { ...scope, index, unscoredItems, items: rows.length };
}
