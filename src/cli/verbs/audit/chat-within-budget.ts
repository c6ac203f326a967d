import type { JsonObject } from "../../../core/json.js";
import type { ChatModel } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import type { Budget } from "../../../runs/budget.js";
import { CallCosts } from "../../../runs/call-costs.js";

/** The model as far as the budget goes; after that it has no answer. */
export function chatWithinBudget(model: ChatModel, budget: Budget): ChatModel {
  const { identity } = model;
  return {
    identity,
    async chat(request, options = {}) {
      if (!(await budget.take())) {
        throw new NoAnswer("budget", `Not asked: the limit of ${budget.over} was met`);
      }
      const costs = new CallCosts();
      const trace = (entry: JsonObject) => {
        costs.note(entry);
        options.trace?.(entry);
      };
      try {
        return await model.chat(request, { ...options, trace });
      } finally {
        budget.put(costs.spent);
      }
    },
  };
}
