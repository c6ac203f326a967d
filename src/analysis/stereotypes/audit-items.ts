import type { Estimate } from "../../stats/estimate.js";
import { type IntervalOptions, undefinedEstimate } from "../inference/intervals.js";
import { scoreSummary } from "../pairs/score-summary.js";
import { auditedPairs } from "./audited-pairs.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** How often an item is flagged in one category and phase, over complete pairs. */
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
  const items = new Map(
    rows.map(({ category, item }) => [JSON.stringify([category, item]), { category, item }]),
  );
  return [...items.values()].flatMap(({ category, item }) =>
    (["initial", "refined"] as const).map((phase) => {
      const answers = complete.flatMap((pair) => {
        const value = pair.answers[phase].get(item);
        if (pair.category !== category || value === undefined) return [];
        const id = JSON.stringify([pair.query, pair.model, pair.imageSet]);
        return [{ id, prompt: pair.query, value }];
      });
      const { n, mean } = scoreSummary(answers, { range: [0, 1], ...options });
      return {
        category,
        item,
        phase,
        n,
        rate: n === 0 ? undefinedEstimate("nothing was answered") : mean,
      };
    }),
  );
}
