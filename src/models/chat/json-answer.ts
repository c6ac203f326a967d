import { z } from "zod";
import { once } from "../../core/cache.js";
import { canonicalJson, type Json, type JsonObject } from "../../core/json.js";
import {
  type CallOptions,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  modelName,
  turn,
} from "../../core/models.js";
import { lackAt, readJson } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { packagedYaml } from "../../files/yaml.js";
import { answerOf, assistantTurn, excerpt } from "./answer-of.js";
import { withoutThought } from "./said-text.js";

/**
 * An answer that follows a schema. The provider is asked to enforce it; whether it did or not, the
 * JSON is looked for in the reply (alone, in a code fence, in prose) and checked. An answer that
 * can't be used is shown to the model once, with what is wrong with it.
 *
 * @param bare the answer in a reply without an object, such as a number alone; undefined where there is none
 * @param name of the schema, for providers that ask for one: letters, digits, _ and -
 * @param request a schema of its own (`answerSchema`) is overwritten
 * @throws NoAnswer "refused"; "unparsable" where the answer was cut off at its greatest length, or
 *   where the second one can't be used either.
 * @example
 * await jsonAnswer({ model, request, name: "rating", schema: z.object({ rating: z.int() }) })
 */
export async function jsonAnswer<Schema extends z.ZodType>(
  {
    model,
    request,
    name,
    schema,
    bare = () => undefined,
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly name: string;
    readonly schema: Schema;
    readonly bare?: (text: string) => unknown;
  },
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const jsonSchema = answerSchemaOf(schema);
  const constrained = { ...request, answerSchema: { name, schema: jsonSchema } };
  const first = await answerOf(model, constrained, options);
  const found = answerIn(first, { schema, bare });
  if ("answer" in found) return found.answer;
  if (first.finish === "length") throw cutOff(model, first);
  options.trace?.({ kind: "repair", problem: found.problem });

  const repair = chatPrompts()
    .repair.replace("{problem}", () => found.problem)
    .replace("{schema}", () => JSON.stringify(jsonSchema));
  const messages = [...request.messages, assistantTurn(first), turn("user", repair)];
  const second = await answerOf(model, { ...constrained, messages }, options);
  const repaired = answerIn(second, { schema, bare });
  if ("answer" in repaired) return repaired.answer;
  if (second.finish === "length") throw cutOff(model, second);
  throw new NoAnswer(
    "unparsable",
    `${modelName(model.identity)} gave no answer of the form ${name}, asked twice: ` +
      `${repaired.problem} (it said: "${excerpt(second.text)}")`,
  );
}

const cutOff = (model: ChatModel, { text }: ChatReply) =>
  new NoAnswer(
    "unparsable",
    `The answer of ${modelName(model.identity)} was cut off at its greatest length, ` +
      `before its JSON was whole (it said: "${excerpt(text)}")`,
  );

/**
 * The JSON Schema of what is to be answered. Objects are closed, as the enforcing providers want
 * it.
 */
function answerSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === "object") jsonSchema.additionalProperties ??= false;
    },
  });
  return JSON.parse(JSON.stringify(rest));
}

type Found<Answer> = { readonly answer: Answer } | { readonly problem: string };

/**
 * The one answer in a reply. Several that differ are none: choosing among them would be a guess, also
 * where all but one are no right answers.
 */
function answerIn<Schema extends z.ZodType>(
  { text, finish }: ChatReply,
  { schema, bare }: { readonly schema: Schema; readonly bare: (text: string) => unknown },
): Found<z.output<Schema>> {
  const objects = foundJson(text);
  // Of an object one sees that it is whole; a number that was cut off may be another ("1" of "10").
  const said = objects.length > 0 || finish === "length" ? undefined : bare(withoutThought(text));
  const candidates = said === undefined ? objects : [said];
  if (candidates.length === 0) return { problem: "there is no JSON object in it" };
  const checked = candidates.map((candidate) => ({
    candidate,
    result: schema.safeParse(candidate),
  }));
  const right = checked.filter(({ result }) => result.success);
  const [first] = right;
  if (first?.result.success) {
    const texts = right.map(({ candidate }) => canonicalJson(candidate as Json));
    const wrong = checked.filter(
      ({ candidate, result }) => !result.success && sharesMember(candidate, first.candidate),
    );
    const different = new Set(texts).size + wrong.length;
    return different === 1
      ? { answer: first.result.data }
      : { problem: `there are ${different} different answers in it` };
  }
  const last = checked.at(-1);
  return { problem: problemsIn(last?.candidate, last?.result.error?.issues ?? []) };
}

/** Whether something speaks of what an answer speaks of, so that it is one, too. */
const sharesMember = (candidate: unknown, answer: unknown) =>
  Object.keys(Object(answer)).some((name) => Object.hasOwn(Object(candidate), name));

/** As much as helps a model to do better; a reply can be wrong in a thousand places. */
const longestProblem = 1000;

function problemsIn(candidate: unknown, issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.map(({ path, message }) => {
    const problem = lackAt(candidate, path) ?? message;
    return path.length === 0 ? problem : `${path.map(String).join(".")}: ${problem}`;
  });
  const said = problems.join("; ");
  return said.length > longestProblem ? `${said.slice(0, longestProblem)}…` : said;
}

/** Brackets that are never closed make every search go to the end: no more than this is searched. */
const mostSearched = 10_000_000;

/**
 * Every JSON object or array in a text, in its order: the whole text, or what stands in it, in prose
 * as in code fences, since either may hold the answer and the other an example. What a model thought
 * aloud before its answer (`<think>…</think>`) is not looked at, and nothing is where the thought has
 * no end. A comma after the last member is passed over. Values are those of `readJson`.
 *
 * @example foundJson('Sure! {"a": 1}') // [{ a: 1 }]
 */
export function foundJson(text: string): unknown[] {
  const said = withoutThought(text);
  const whole = parsed(said);
  return whole === undefined ? inProse(said) : [whole.value];
}

/** Objects and arrays that begin somewhere in a text; those inside others are not listed. */
function inProse(text: string): unknown[] {
  const found: unknown[] = [];
  let searched = 0;
  for (let start = nextOpening(text, 0); start >= 0 && searched < mostSearched; ) {
    const end = closingOf(text, start);
    searched += (end < 0 ? text.length : end) - start;
    const value = end < 0 ? undefined : parsed(text.slice(start, end));
    if (value !== undefined) found.push(value.value);
    start = nextOpening(text, value === undefined ? start + 1 : end);
  }
  return found;
}

function nextOpening(text: string, from: number): number {
  const opening = /[{[]/g;
  opening.lastIndex = from;
  return opening.exec(text)?.index ?? -1;
}

/** Just behind the bracket that closes the one at `start`; -1 where none does. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * A comma after the last member or item, as Python and JavaScript allow it; or a string, which may hold one, up to the
 * end of the text where it is not closed, since each quote within would be looked at from anew.
 */
const trailingComma = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|,(?=\s*[}\]])/gs;

/** A box around the value, since `undefined` must mean that there is none. */
function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const mended = () => text.replaceAll(trailingComma, (found) => (found === "," ? "" : found));
  return read(text) ?? read(mended());
}

function read(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: readJson(text) };
  } catch {
    return undefined;
  }
}

const schema = z.strictObject({
  yesOrNo: z.string().min(1),
  verbalizedProbability: z.string().min(1),
  schema: z.string().includes("{schema}"),
  repair: z.string().includes("{problem}").includes("{schema}"),
});

/** The wording of data/chat-prompts.yaml, read when it is first needed. */
export const chatPrompts = once(() => schema.parse(packagedYaml("chat-prompts.yaml")));
