import { largestOf } from "../../../core/extremes.js";
import { loadPromptPool, promptPoolNames } from "../../../judges/read-prompt-pool.js";
import { ratingsOf } from "./judge-asking.js";
import type { LabelledItem } from "./judged-table.js";

/**
 * Which ratings of the prompts' scale no label has, and where none reaches its upper end, by which pool
 * the labels' own scale would be asked for.
 *
 * @param ratings how many the prompts ask for.
 */
export function scaleWarnings(
  ratings: number | undefined,
  items: readonly Pick<LabelledItem, "label">[],
): string[] {
  const given = new Set(items.map(({ label }) => label));
  const missing = Array.from({ length: ratings ?? 0 }, (_, at) => at + 1).filter(
    (rating) => !given.has(rating),
  );
  if (ratings === undefined || missing.length === 0) return [];
  const reached = largestOf(items.map(({ label }) => label ?? 0));
  if (reached === ratings) {
    return [
      `No label has the rating ${missing.join(" or ")}, on the scale from 1 to ${ratings}: the judge is not tested there.`,
    ];
  }
  const fitting = promptPoolNames
    .map((name) => ({ name, most: ratingsOf(loadPromptPool(name)) }))
    .find(({ most = 0 }) => most >= reached && most < ratings);
  return [
    `No label is above ${reached}, and the prompts ask for ratings from 1 to ${ratings}. If people used another scale: ` +
      (fitting === undefined
        ? "--pool with a file of your own."
        : `--pool ${fitting.name} (1 to ${fitting.most}), or a file of your own.`),
  ];
}
