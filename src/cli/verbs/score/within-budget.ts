import { IncompleteError } from "../../../core/errors.js";
import type { Metric } from "../../../core/metric.js";
import { askAnew, type ForgetReplies } from "../../../runs/ask-anew.js";
import { askWithin } from "../../../runs/ask-within.js";
import type { Budget } from "../../../runs/budget.js";
import { type Fruitless, tellFruit } from "../../../runs/fruitless.js";

/**
 * The metric as far as the budget goes; after that it has no answer. Outside a run there is nothing
 * to go on with, so each row says what became of it. Where it answers about nothing, `fruitless` ends
 * the work.
 *
 * @param options.forget as `askAnew` has it.
 */
export const withinBudget = (
  metric: Metric,
  budget: Budget,
  {
    fruitless,
    forget,
  }: { readonly fruitless: Fruitless; readonly forget: ForgetReplies | undefined },
): Metric => ({
  ...metric,
  score: (input, options = {}) =>
    askWithin(budget, options, (traced) =>
      tellFruit(fruitless, traced.trace, (told) =>
        askAnew((trace) => metric.score(input, { ...traced, trace }), { trace: told, forget }),
      ),
    ),
});

/** Throws if a limit was met and results are unscored, whatever was written. */
export function refuseOverBudget(
  budget: Budget,
  { all, unscored }: { all: number; unscored: number },
  { repliesAreKept }: { repliesAreKept: boolean },
) {
  if (budget.over === undefined || unscored === 0) return;
  throw new IncompleteError(
    `Scoring met its limit of ${budget.over}: ${unscored} of ${all} results are unscored`,
    {
      hint: repliesAreKept
        ? "Give the same command again with a higher limit: what hosted models have answered is kept and costs nothing again."
        : "Run the same command with a higher limit. To be able to resume, score a run.",
    },
  );
}
