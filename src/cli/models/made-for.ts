import { InputError } from "../../core/errors.js";
import type { ChatTask } from "../../core/judging-task.js";
import { type ChatModel, type Model, modelName } from "../../core/models.js";
import { listText } from "../../core/phrases.js";
import { contractsOf, contractWords, keeps } from "../../models/contracts.js";

/**
 * @param place where the model was named, such as "--judge"
 * @throws InputError where a model was made for other tasks.
 */
export function checkMadeFor(model: ChatModel, task: ChatTask, place: string): void {
  const { madeFor, identity } = model;
  if (madeFor === undefined || madeFor.includes(task)) return;
  throw new InputError(
    `Expected a model that ${taskWords[task]} for ${place} but received ${modelName(identity)}, ` +
      `which ${listText(madeFor.map((one) => taskWords[one]))} alone`,
    { hint: whoDoes(task) },
  );
}

/** Suggests models to ask where one can't do a task. */
export const whoDoes = (task: ChatTask): string =>
  `In the lab ${labModels[task]} ${taskWords[task]}; of other images any model that ` +
  `${contractWords.ChatModel} may: openai-compatible:NAME, or one of touchstone.config.yaml`;

/**
 * Says for a message what a model does.
 *
 * @example whatItDoes(labModel("vqa")) // "answers questions about images"
 */
export function whatItDoes(model: Model): string {
  const words = contractsOf(model).map((contract) => contractWords[contract]);
  if (!keeps(model, "ChatModel") || model.madeFor === undefined) return words.join(" and ");
  const others = words.filter((one) => one !== contractWords.ChatModel);
  const tasks = model.madeFor.map((task) => taskWords[task]);
  return `${listText([...others, ...tasks])} alone`;
}

/** Words for what models of each task do, in messages. */
export const taskWords: Readonly<Record<ChatTask, string>> = {
  pair: "judges pairs",
  "yes-no": "judges questions of yes or no",
  rating: "judges ratings",
  rubric: "answers rubrics of audits",
  refinement: "rewrites queries of audits",
  score: "scores images by one digit",
};

/** The model of the lab that does each task. */
const labModels: Readonly<Record<ChatTask, string>> = {
  pair: "lab:judge",
  "yes-no": "lab:vqa",
  rating: "lab:rater (--pool ordinal-4)",
  rubric: "lab:auditor",
  refinement: "lab:refiner",
  score: "lab:proto-score",
};
