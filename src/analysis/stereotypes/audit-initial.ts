import type { IntervalOptions } from "../inference/intervals.js";
import { type ScoreSummary, scoreSummary } from "../pairs/score-summary.js";
import type { StereotypeRow } from "./stereotype-row.js";

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
