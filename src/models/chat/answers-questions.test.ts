import { expect, test } from "vitest";
import type { ChatReply, ChatRequest, Picture } from "../../core/models.js";
import { scriptedChat, withTokens } from "../../testing/fake-models.js";
import { answersQuestions, yesNo } from "./answers-questions.js";

const request: ChatRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "Is there a dog?" }] }],
};
const ask = (reply: Partial<ChatReply>) => yesNo({ model: scriptedChat(reply).model, request });

test("all spellings of yes and no count, and what is left is reported", async () => {
  const reply = withTokens({
    Yes: 0.5,
    " yes": 0.1,
    "YES.": 0.05,
    No: 0.2,
    "▁no": 0.05,
    Maybe: 0.04,
  });
  const answer = await ask(reply);
  expect(answer.yes).toBeCloseTo(0.65, 12);
  expect(answer.no).toBeCloseTo(0.25, 12);
  expect(answer.remaining).toBeCloseTo(0.1, 12);
  expect(answer.probability).toBeCloseTo(0.65 / 0.9, 12);
  expect(answer.way).toBe("tokens");
});

test("words that only begin alike are neither", async () => {
  const answer = await ask(withTokens({ Yes: 0.6, Yesterday: 0.2, Nothing: 0.1, No: 0.05 }));
  expect(answer.probability).toBeCloseTo(0.6 / 0.65, 12);
});

test("white space and marks before the word are passed over", async () => {
  const answer = await ask(withTokens({ "\n": 1 }, { "**": 1 }, { No: 0.9, Yes: 0.1 }));
  expect(answer.probability).toBeCloseTo(0.1, 12);
});

test.each([
  // The most that No can have had is what is left, and no more than the least that was listed.
  ["the word alone, all but certain", { Yes: 0.99 }, 0.99, "no"],
  ["the other word alone", { No: 0.96 }, 0.04, "yes"],
  ["the word alone, certain to the last digit", { Yes: 1 }, 1 / 1.0001, "no"],
  ["the other word alone, as certain", { no: 1 }, 0.0001 / 1.0001, "yes"],
  ["words beside it, of which none is the other", { Yes: 0.95, Maybe: 0.02 }, 0.95 / 0.97, "no"],
] as const)("%s counts the unlisted word at its most", async (_, listed, probability, unlisted) => {
  const answer = await ask(withTokens(listed));
  expect(answer.probability).toBeCloseTo(probability, 12);
  expect(answer.unlisted).toEqual([unlisted]);
  expect(answer.yes + answer.no + answer.remaining).toBeCloseTo(1, 12);
});

test.each([
  ["alone, with a tenth to spare", { Yes: 0.9 }, "no", "10.0 %"],
  ["alone, just likelier than not", { No: 0.6 }, "yes", "40.0 %"],
  ["beside another word", { Yes: 0.6, Maybe: 0.3 }, "no", "10.0 %"],
])("a word %s leaves no answer: the other could change it", async (_, listed, other, most) => {
  await expect(ask(withTokens(listed))).rejects.toMatchObject({
    reason: "unparsable",
    message: expect.stringMatching(new RegExp(`\\b${other} .*${most}`)),
  });
});

test("log-probabilities are asked for at temperature 0", async () => {
  const { model, asked } = scriptedChat(withTokens({ Yes: 1 }));
  await yesNo({ model, request });
  expect(asked[0]).toMatchObject({ temperature: 0, topLogProbabilities: 20, maxTokens: 8 });
});

test.each([
  ["no log-probabilities", { text: "Yes" }, "not-applicable"],
  ["an empty list of them", { text: "Yes", tokens: [] }, "not-applicable"],
  ["no word", withTokens({ "...": 1 }), "unparsable"],
  ["something else", withTokens({ The: 0.7, Yes: 0.2 }), "unparsable"],
  ["a refusal", { finish: "refused", text: "No." } as const, "refused"],
  ["a probability above 1", withTokens({ Yes: 1.5 }), "unparsable"],
  ["probabilities above 1 together", withTokens({ Yes: 0.8, No: 0.8 }), "unparsable"],
  ["a number that is none", withTokens({ Yes: Number.NaN }), "unparsable"],
  ["infinity", withTokens({ Yes: Number.POSITIVE_INFINITY }), "unparsable"],
])("%s is no answer", async (_, reply, reason) => {
  await expect(ask(reply)).rejects.toMatchObject({ reason });
});

test("an endless token is read in no time", async () => {
  const token = `a${".".repeat(500_000)}a`;
  await expect(ask(withTokens({ [token]: 1 }))).rejects.toMatchObject({ reason: "unparsable" });
});

test("sampled answers, each of its own trial and seed", async () => {
  const { model, asked, trials } = scriptedChat("Yes", "no.", "No doubt: yes", "YES!");
  const way = { kind: "samples", count: 4 } as const;
  const answer = await yesNo({ model, request, way }, { trial: 2 });
  expect(answer).toEqual({
    probability: 2 / 3,
    yes: 0.5,
    no: 0.25,
    remaining: 0.25,
    way: "samples",
  });
  expect(trials).toEqual([8, 9, 10, 11]);
  expect(asked.map(({ seed }) => seed)).toEqual([8, 9, 10, 11]);
  expect(asked.every(({ temperature }) => temperature === 1)).toBe(true);
});

test.each([
  ["Hm", "Nope", "Well"],
  ["Yes", "Yes, there is a dog", "No dog"],
])("samples of which most say something else are no answer", async (...said) => {
  const { model } = scriptedChat(...said);
  await expect(yesNo({ model, request, way: { kind: "samples", count: 3 } })).rejects.toMatchObject(
    { reason: "unparsable" },
  );
});

test("a probability in words, where it is asked for", async () => {
  const { model } = scriptedChat('{"probability": 0.7}');
  const answer = await yesNo({ model, request, way: { kind: "verbalized" } });
  expect(answer).toMatchObject({ probability: 0.7, way: "verbalized" });
});

test.each([
  '{"probability": 1e999}',
  '{"probability": -1e999}',
  '{"probability": 0.9, "probability": 0.1}',
  '{"probability": "0.7"}',
  '{"probability": [0.7]}',
  '{"probability": NaN}',
  '{"probability": 70}',
])("%s is no probability", async (said) => {
  const { model } = scriptedChat(said, said);
  await expect(yesNo({ model, request, way: { kind: "verbalized" } })).rejects.toMatchObject({
    reason: "unparsable",
  });
});

const image = { hash: "ab" } as unknown as Picture;

test("a chat model answers questions about an image, one call each, in their order", async () => {
  const { model, asked } = scriptedChat(
    withTokens({ Yes: 0.75, No: 0.25 }),
    withTokens({ No: 0.5, Yes: 0.5 }),
  );
  const trace: unknown[] = [];
  const vqa = answersQuestions(model, { templates: { "vqa-score": "{text}?" } });
  const answers = await vqa.probabilityOfYes(image, ["A dog?", "A cat?"], {
    trace: (entry) => trace.push(entry),
  });
  expect(answers[0]).toBeCloseTo(0.75, 12);
  expect(answers[1]).toBe(0.5);
  expect(asked[1]?.messages[1]?.parts).toEqual([
    { type: "image", image },
    { type: "text", text: "A cat?" },
  ]);
  expect(trace[1]).toMatchObject({ kind: "yes-no", question: "A cat?", remaining: 0 });
  expect(vqa.templates).toEqual({ "vqa-score": "{text}?" });
  expect(vqa.identity).toEqual(model.identity);
});

test("another way to P(yes) is part of the identity", () => {
  const { model } = scriptedChat();
  const revised = { ...model, identity: { ...model.identity, revision: "may" } };
  const samples = { kind: "samples", count: 5 } as const;
  expect(answersQuestions(model, { way: samples }).identity.revision).toBe("samples-5");
  expect(
    answersQuestions(revised, { way: { ...samples, temperature: 0.5 } }).identity.revision,
  ).toBe("may+samples-5-at-0.5");
  expect(answersQuestions(revised, { way: { kind: "verbalized" } }).identity.revision).toBe(
    "may+verbalized",
  );
});
