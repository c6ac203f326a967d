import type { ChatModel } from "../../../core/models.js";
import { askWithin } from "../../../runs/ask-within.js";
import type { Budget } from "../../../runs/budget.js";

/** The model as far as the budget goes; after that it has no answer. */
export const chatWithinBudget = (model: ChatModel, budget: Budget): ChatModel => ({
  identity: model.identity,
  chat: (request, options = {}) =>
    askWithin(budget, options, (traced) => model.chat(request, traced)),
});
