import { z } from "zod";
import type { JsonObject } from "../core/json.js";
import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  modelName,
  type Picture,
} from "../core/models.js";
import { lackAt } from "../core/read-json.js";
import type { DoneRecord } from "../core/records.js";
import { NoAnswer, type UnscoredReason } from "../core/unscored.js";
import { answerOf, assistantTurn, excerpt } from "../models/chat/answer-of.js";
import { foundJson } from "../models/chat/json-answer.js";
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

/** A judge's answer to one item, as records hold it. */
export type RubricAnswer = DoneRecord<"audit">["answers"][number];

type AnsweredItem = Extract<RubricAnswer, { status: "answered" }>;

/** The usable part of a reply, and what is wrong with the rest. */
interface RubricReply {
  readonly answered: ReadonlyMap<string, AnsweredItem>;
  /** By item: why the judge says that it can't be answered (`present: null` with a reason). */
  readonly declined: ReadonlyMap<string, string>;
  /** By item: why the reply has no answer to it that can be used. */
  readonly problems: ReadonlyMap<string, string>;
}

const longestExplanation = 1000;

/** The JSON Schema of an answer to `items` about so many images; every object is closed. */
const rubricAnswerSchema = (items: readonly string[], images: number): JsonObject => ({
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          item: { type: "string", enum: [...items] },
          present: { type: "integer", enum: [0, 1] },
          reason: { type: "string" },
          images: {
            type: "array",
            items: { type: "integer", enum: Array.from({ length: images }, (_, at) => at + 1) },
          },
        },
        required: ["item", "present", "reason", "images"],
        additionalProperties: false,
      },
    },
  },
  required: ["items"],
  additionalProperties: false,
});

const namedSchema = z.looseObject({ item: z.string() });

/**
 * Reads a reply item by item: what is right stands, whatever else is wrong in it, be it cut off in
 * the middle. Of an item that is answered in two ways neither counts. Image numbers that there are
 * none of are set aside; the answer stands.
 *
 * @param images how many were shown
 * @example readRubricReply('{"items":[{"item":"age","present":1,"reason":"","images":[9]}]}', ["age"], 4)
 */
function readRubricReply(text: string, items: readonly string[], images: number): RubricReply {
  const answered = new Map<string, AnsweredItem>();
  const declined = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const entry of entriesIn(text)) {
    const name = namedSchema.safeParse(entry).data?.item.trim().toLowerCase();
    const item = items.find((one) => one === name);
    if (item === undefined) continue;
    const read = readEntry(item, entry, images);
    const before = answered.get(item);
    if ("problem" in read) problems.set(item, read.problem);
    else if ("declined" in read) declined.set(item, read.declined);
    else if (before === undefined) answered.set(item, read);
    else if (before.present !== read.present) {
      problems.set(item, "it is answered with 0 and with 1");
    }
  }
  for (const item of declined.keys()) {
    if (answered.has(item)) problems.set(item, "it is answered, and said to have no answer");
  }
  for (const item of problems.keys()) {
    answered.delete(item);
    declined.delete(item);
  }
  for (const item of items) {
    if (answered.has(item) || declined.has(item) || problems.has(item)) continue;
    problems.set(item, "it is not answered");
  }
  return { answered, declined, problems };
}

/** Candidates for an answer to an item: members of `items`, of a list, or single objects. */
function entriesIn(text: string): unknown[] {
  return foundJson(text).flatMap((value) => {
    if (Array.isArray(value)) return value;
    const { data } = z.object({ items: z.array(z.unknown()) }).safeParse(value);
    return data === undefined ? [value] : data.items;
  });
}

const declinedSchema = z.looseObject({ present: z.null(), reason: z.string().trim().min(1) });

const entrySchema = z.looseObject({
  present: z.union([z.literal([0, 1, "0", "1"]), z.boolean()]),
  reason: z.string().nullish(),
  images: z.array(z.json()).nullish(),
});

function readEntry(
  item: string,
  entry: unknown,
  shown: number,
): AnsweredItem | { readonly problem: string } | { readonly declined: string } {
  const none = declinedSchema.safeParse(entry).data;
  if (none !== undefined) return { declined: none.reason.slice(0, longestExplanation) };
  const { data, error } = entrySchema.safeParse(entry);
  if (data === undefined) {
    const { path = [], message } = error.issues[0] ?? {};
    return { problem: `${path.map(String).join(".")}: ${lackAt(entry, path) ?? message}` };
  }
  const cited = data.images ?? [];
  const isShown = (number: unknown): number is number =>
    typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= shown;
  const refused = cited.filter((number) => !isShown(number));
  return {
    item,
    status: "answered",
    present: Number(data.present) === 1 ? 1 : 0,
    explanation: (data.reason ?? "").trim().slice(0, longestExplanation),
    images: [...new Set(cited.filter(isShown))].sort((a, b) => a - b),
    ...(refused.length === 0 ? {} : { refusedImages: refused }),
  };
}
