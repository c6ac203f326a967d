import { type ScoreSummary, scoreSummary } from "../../analysis/score-summary.js";
import type { StereotypeRow } from "../../analysis/stereotypes.js";
import { countText, estimateText } from "../../report/number-text.js";
import { table } from "../table.js";

/** The index of image sets that were audited once: of a category, or of one model within it. */
export interface InitialIndex {
  readonly category: string;
  /** Null where all models are pooled. */
  readonly model: string | null;
  /** Over sets with an answer; intervals draw whole queries. */
  readonly index: ScoreSummary;
  readonly unscoredItems: number;
  readonly items: number;
}

/** The Social Stereotype Index of each category and model before anything was rewritten. */
export function initialIndex(rows: readonly StereotypeRow[]): InitialIndex[] {
  const own = rows.filter(({ phase }) => phase === "initial");
  const models = [...new Set(own.map(({ model }) => model))];
  return [...new Set(own.map(({ category }) => category))].flatMap((category) =>
    [null, ...models].map((model) =>
      indexOf(
        own.filter((row) => row.category === category && (model === null || row.model === model)),
        { category, model },
      ),
    ),
  );
}

function indexOf(
  rows: readonly StereotypeRow[],
  scope: Pick<InitialIndex, "category" | "model">,
): InitialIndex {
  const sets = new Map<string, { query: string; answers: number[] }>();
  for (const { query, model, imageSet, present } of rows) {
    const id = JSON.stringify([query, model, imageSet]);
    const set = sets.get(id) ?? { query, answers: [] };
    sets.set(id, set);
    if (present !== null) set.answers.push(present);
  }
  const index = scoreSummary(
    [...sets].map(([id, { query, answers }]) => ({
      ...{ id, prompt: query },
      value:
        answers.length === 0 ? null : answers.reduce((sum, one) => sum + one, 0) / answers.length,
    })),
    { range: [0, 1] },
  );
  const unscoredItems = rows.filter(({ present }) => present === null).length;
  return { ...scope, index, unscoredItems, items: rows.length };
}

/** The same for a terminal. */
export const initialIndexTable = (found: readonly InitialIndex[]): string =>
  table(
    [
      { title: "category" },
      { title: "model" },
      { title: "sets", align: "right" },
      { title: "unscored items", align: "right" },
      { title: "index, 95 % interval by query", align: "right" },
    ],
    found.map(({ category, model, index, unscoredItems, items }) => [
      model === null ? category : "",
      model ?? "all models",
      countText(index.n),
      `${countText(unscoredItems)} of ${countText(items)}`,
      estimateText(index.mean),
    ]),
  );
