import { expect, test } from "vitest";
import { z } from "zod";
import type { ChatRequest } from "../../core/models.js";
import { scriptedChat } from "../../testing/fake-models.js";
import { foundJson, jsonAnswer } from "./json-answer.js";

const schema = z.object({ score: z.int().min(1).max(4), why: z.string().optional() });
const request: ChatRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "How good?" }] }],
};
const ask = (model: ReturnType<typeof scriptedChat>["model"]) =>
  jsonAnswer({ model, request, name: "score", schema });

test.each([
  ["plain", '{"score": 3}'],
  ["in white space", '\n {"score": 3}\n'],
  ["in a fence", 'Here:\n```json\n{"score": 3}\n```\nGood luck.'],
  ["in a fence without a language", '```\n{"score": 3}\n```'],
  ["in prose", 'I would say {"score": 3}, all in all [sic].'],
  ["with a comma at its end", '```json\n{"score": 3,\n}\n```'],
  ["after thinking", '<think>Maybe {"score": 1}?</think>{"score": 3}'],
  ["said twice alike", '{"score": 3} and once more {"score":3}'],
  ["beside another object", 'Given {"a": {"score": 2}} it is {"score": 3}'],
])("an answer %s is read", async (_, text) => {
  const { model, asked } = scriptedChat(text);
  expect(await ask(model)).toEqual({ score: 3 });
  expect(asked).toHaveLength(1);
});

test("braces and quotes inside strings end nothing", async () => {
  const why = 'a "}" in it \\ { [1,]';
  const said = JSON.stringify({ score: 1, why }).replace(/}$/, ",}");
  const { model } = scriptedChat(`So: ${said} - done}`);
  expect(await ask(model)).toEqual({ score: 1, why });
});

test("the schema goes along, closed and without its address", async () => {
  const { model, asked } = scriptedChat('{"score": 3}');
  await ask(model);
  expect(asked[0]?.answerSchema).toEqual({
    name: "score",
    schema: {
      type: "object",
      properties: {
        score: { type: "integer", minimum: 1, maximum: 4 },
        why: { type: "string" },
      },
      required: ["score"],
      additionalProperties: false,
    },
  });
});

test.each([
  ["no JSON", "Very good!", "there is no JSON object"],
  ["a wrong value", '{"score": 9}', "score: Too big"],
  ["two different answers", '{"score": 1} or {"score": 2}', "there are 2 different answers"],
  ["a right and a wrong one", '{"score": 3} {"score": 9}', "there are 2 different answers"],
  ["a wrong and a right one", '{"score": 1e999} {"score": 3}', "there are 2 different answers"],
  [
    "one in a fence, another beside it",
    'As in ```{"score": 1}``` I say {"score": 3}',
    "there are 2 different answers",
  ],
  ["nothing", "", "there is no JSON object"],
  ["a number too large", '{"score": 1e999}', "score: 1e999 is too large"],
  ["a member that stands twice", '{"score": 3, "score": 1}', "score: it stands there twice"],
  ["one that is spelled in two ways", '{"score": 3, "\\u0073core": 3}', "it stands there twice"],
  ["one too deep", `{"score": ${"[".repeat(101)}3${"]".repeat(101)}}`, "expected number"],
  ["a thought without an end", '<think>Perhaps {"score": 1}', "there is no JSON object"],
])("%s is shown to the model once, with what is wrong", async (_, text, problem) => {
  const { model, asked } = scriptedChat(text, '{"score": 2}');
  expect(await ask(model)).toEqual({ score: 2 });
  const turns = asked[1]?.messages ?? [];
  expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(JSON.stringify(turns[2])).toContain(problem);
});

test("what is wrong beside an answer leaves it: a number too large, a member twice", async () => {
  const { model } = scriptedChat('{"score": 3, "sure": 1e999, "of": {"a": 1, "a": 2}}');
  expect(await ask(model)).toEqual({ score: 3 });
});

test("a model is shown no more of an endless answer than helps it", async () => {
  const { model, asked } = scriptedChat("x".repeat(1e6), '{"score": 2}');
  await ask(model);
  expect(JSON.stringify(asked[1]?.messages).length).toBeLessThan(30_000);
});

test.each([",}", '{",\\\n', "[", "{", '{"a":', "```a", "<think>", "```json\n{"])(
  "a reply of %s over and over is searched in no time",
  async (piece) => {
    const endless = piece.repeat(500_000 / piece.length);
    const { model } = scriptedChat(endless, endless);
    await expect(ask(model)).rejects.toMatchObject({ reason: "unparsable" });
  },
);

test("what can't be used twice is unparsable, never a number", async () => {
  const { model, asked } = scriptedChat("Very good!", '{"score": 0}');
  await expect(ask(model)).rejects.toMatchObject({
    reason: "unparsable",
    retryable: false,
    message: expect.stringContaining("score: "),
  });
  expect(asked).toHaveLength(2);
});

test("an answer cut off is not asked for again", async () => {
  const { model, asked } = scriptedChat({ text: '{"score": 3, "why": "it', finish: "length" });
  await expect(ask(model)).rejects.toMatchObject({
    reason: "unparsable",
    message: expect.stringContaining('{"score": 3, "why": "it'),
  });
  expect(asked).toHaveLength(1);
});

test("a refusal is one, also in the second turn", async () => {
  const refused = { text: "I can't look at that.", finish: "refused" } as const;
  await expect(ask(scriptedChat(refused).model)).rejects.toMatchObject({
    reason: "refused",
    message: expect.stringContaining("I can't look at that."),
  });
  await expect(ask(scriptedChat("no", refused).model)).rejects.toMatchObject({
    reason: "refused",
  });
});

test("one comma after the last member is passed over, and many are no JSON", () => {
  expect(foundJson('{"a": [1, 2, ], "b": ",}", }')).toEqual([{ a: [1, 2], b: ",}" }]);
  expect(foundJson(`[1${",".repeat(20_000)}]`)).toEqual([]);
});

test("a string that never ends is searched once, not from each quote within", {
  timeout: 2000,
}, () => {
  expect(foundJson(`["${'\\"'.repeat(200_000)}`)).toEqual([]);
});
