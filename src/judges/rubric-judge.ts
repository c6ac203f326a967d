import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  modelName,
  type Picture,
} from "../core/models.js";
import { NoAnswer, type UnscoredReason } from "../core/unscored.js";
import { answerOf, assistantTurn, excerpt } from "../models/chat/answer-of.js";
import { type RubricAnswer, readRubricReply, rubricAnswerSchema } from "./rubric-answer.js";
import {
  type RubricTask,
  type RubricWording,
  rubricAgain,
  rubricMessages,
} from "./rubric-message.js";

/**
 * Has a chat model answer a rubric about images. Each item stands by itself: one that is missing or
 * wrong is asked for once more, and is unscored if that brings nothing; the others are kept. An item
 * that the model says it can't answer, with a reason, is unscored as "not-applicable" at once.
 *
 * @returns one answer for each of the task's items, in their order
 * @throws NoAnswer where there is an answer to no item at all: refused, cut off, without JSON, or
 *   whatever the model itself throws.
 * @example await askRubric({ model, wording, task, pictures })
 */
export async function askRubric(
  {
    model,
    wording,
    task,
    pictures,
  }: {
    readonly model: ChatModel;
    readonly wording: RubricWording;
    readonly task: RubricTask;
    readonly pictures: readonly Picture[];
  },
  options: CallOptions = {},
): Promise<RubricAnswer[]> {
  const items = task.items.map(({ item }) => item);
  const messages = rubricMessages({ wording, task, pictures });
  const ask = (said: readonly ChatMessage[], wanted: readonly string[]) =>
    answerOf(
      model,
      {
        messages: [...said],
        temperature: 0,
        answerSchema: { name: "rubric", schema: rubricAnswerSchema(wanted, pictures.length) },
      },
      options,
    );
  const first = await ask(messages, items);
  const read = readRubricReply(first.text, items, pictures.length);
  const lacking = [...read.problems.keys()];
  const missing = missingOf(read.declined);
  if (lacking.length === 0) {
    if (read.answered.size > 0) return inOrder(items, read.answered, missing);
    throw declinedAll(model, missing);
  }
  const problem = [...read.problems].map(([item, what]) => `${item}: ${what}`).join("; ");
  options.trace?.({ kind: "repair", problem });
  let again: ReturnType<typeof readRubricReply> | undefined;
  try {
    const repair = rubricAgain(wording, { problem, only: lacking });
    const second = await ask([...messages, assistantTurn(first), repair], lacking);
    again = readRubricReply(second.text, lacking, pictures.length);
    for (const [item, said] of missingOf(again.declined)) missing.set(item, said);
    for (const [item, what] of again.problems) {
      missing.set(item, { reason: "unparsable", detail: `${what}${cutOff(second)}, asked twice` });
    }
  } catch (error) {
    // What was answered stands, however the second asking ends.
    if (!(error instanceof NoAnswer) || read.answered.size === 0) throw error;
    for (const item of lacking) {
      const detail = `${read.problems.get(item)}; asked again: ${error.message}`;
      missing.set(item, { reason: error.reason, detail });
    }
  }
  const answered = new Map([...read.answered, ...(again?.answered ?? [])]);
  if (answered.size > 0) return inOrder(items, answered, missing);
  if ([...missing.values()].every(({ reason }) => reason === "not-applicable")) {
    throw declinedAll(model, missing);
  }
  throw new NoAnswer(
    "unparsable",
    `${modelName(model.identity)} answered no item of the rubric, asked twice` +
      `${cutOff(first)} (it said: "${excerpt(first.text)}")`,
  );
}

interface Missing {
  readonly reason: UnscoredReason;
  readonly detail: string;
}

const missingOf = (declined: ReadonlyMap<string, string>): Map<string, Missing> =>
  new Map([...declined].map(([item, detail]) => [item, { reason: "not-applicable", detail }]));

const declinedAll = ({ identity }: ChatModel, missing: ReadonlyMap<string, Missing>): NoAnswer => {
  const [first] = missing.values();
  return new NoAnswer(
    "not-applicable",
    `${modelName(identity)} says of every item that it can't be answered: ${first?.detail}`,
  );
};

function inOrder(
  items: readonly string[],
  answered: ReadonlyMap<string, RubricAnswer>,
  missing: ReadonlyMap<string, Missing>,
): RubricAnswer[] {
  return items.map((item) => {
    const { reason, detail } = missing.get(item) ?? { reason: "unparsable", detail: "no answer" };
    return answered.get(item) ?? { item, status: "unscored", reason, detail };
  });
}

const cutOff = ({ finish }: ChatReply) =>
  finish === "length" ? ", the answer was cut off at its greatest length" : "";
