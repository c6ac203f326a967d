import type { Estimate } from "../../stats/estimate.js";
import { type IntervalOptions, undefinedEstimate } from "../inference/intervals.js";
import { scoreSummary } from "../pairs/score-summary.js";
import { auditedPairs } from "./audited-pairs.js";
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
