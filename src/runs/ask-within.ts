import type { JsonObject } from "../core/json.js";
import type { CallOptions } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import type { Budget } from "./budget.js";
import { CallCosts } from "./call-costs.js";

/**
 * Asks as far as the budget goes, and takes from it what the calls cost.
 *
 * @throws NoAnswer with the reason `budget` where a limit was met.
 */
export async function askWithin<Answer>(
  budget: Budget,
  options: CallOptions,
  ask: (traced: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  if (!(await budget.take())) {
    throw new NoAnswer("budget", `Not asked: the limit of ${budget.over} was met`);
  }
  const costs = new CallCosts();
  const trace = (entry: JsonObject) => {
    costs.note(entry);
    options.trace?.(entry);
  };
  try {
    return await ask({ ...options, trace });
  } finally {
    budget.put(costs.spent);
  }
}
