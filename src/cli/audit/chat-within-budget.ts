import type { JsonObject } from "../../core/json.js";
import type { ChatModel } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import type { Budget } from "../../runs/budget.js";

/** The model as far as the budget goes; after that it has no answer. */
export function chatWithinBudget(model: ChatModel, budget: Budget): ChatModel {
  const { identity } = model;
  return {
    identity,
    async chat(request, options = {}) {
      if (!(await budget.take())) {
        throw new NoAnswer("budget", `Not asked: the limit of ${budget.over} was met`);
      }
      let spent = { cost: 0, cached: false };
      const trace = (entry: JsonObject) => {
        const cost = typeof entry.cost === "number" ? entry.cost : 0;
        spent = { cost: spent.cost + cost, cached: spent.cached || entry.cached === true };
        options.trace?.(entry);
      };
      try {
        return await model.chat(request, { ...options, trace });
      } finally {
        budget.put(spent);
      }
    },
  };
}
