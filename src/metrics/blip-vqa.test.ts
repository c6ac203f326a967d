import { expect, test } from "vitest";
import { answersByHeart } from "../../test/support/oracle-models.js";
import type { Picture } from "../core/models.js";
import { ruleDecomposer } from "../models/decomposer/rule-decomposer.js";
import { blipVqa } from "./blip-vqa.js";

const image = {} as Picture;
const text = "a striped red skirt and a dotted jacket";
const structure = [
  { entity: "skirt", attributes: ["striped", "red"] },
  { entity: "jacket", attributes: ["dotted"] },
];
const answers = {
  "a striped skirt?": 0.5,
  "a red skirt?": 0.8,
  "a dotted jacket?": 0.9,
  "a striped red skirt?": 0.7,
};

test("the product over attributes with their entities, given or found", async () => {
  const { model, seen } = answersByHeart(answers);
  const given = await blipVqa({ model }).score({ image, text, structure });
  expect(given.value).toBeCloseTo(0.36, 12);
  expect(given.details).toEqual({
    asked: "attributes",
    entities: structure,
    questions: [
      { question: "a striped skirt?", probability: 0.5 },
      { question: "a red skirt?", probability: 0.8 },
      { question: "a dotted jacket?", probability: 0.9 },
    ],
  });
  const decomposer = ruleDecomposer();
  const metric = blipVqa({ model, decomposer });
  expect(await metric.score({ image, text })).toEqual(given);
  expect(metric.model).toMatch(/^test:heart@1 \/ rules:noun-phrases@[0-9a-f]{8}$/);
  expect(seen).toHaveLength(2);
});

test("over noun phrases where that is asked for, or no structure is at hand", async () => {
  const { model } = answersByHeart(answers);
  for (const [convention, more] of [
    ["attributes", {}],
    ["noun-phrases", { structure }],
  ] as const) {
    const metric = blipVqa({ model, convention });
    const found = await metric.score({ image, text, ...more });
    expect(found.value).toBeCloseTo(0.63, 12);
    expect(found.details).toMatchObject({ asked: "noun-phrases" });
    expect(metric).toMatchObject({
      name: "blip-vqa",
      convention,
      template: "{text}?",
      model: "test:heart@1",
      statistic: "product of P(yes)",
      range: [0, 1],
      direction: "higher",
    });
  }
});

test("a question that two parts share is asked once", async () => {
  const { model, seen } = answersByHeart({ "a red cat?": 0.5 });
  const { value } = await blipVqa({ model }).score({ image, text: "a red cat and a red cat" });
  expect(value).toBe(0.5);
  expect(seen[0]?.questions).toEqual(["a red cat?"]);
});

test.each([
  [
    "nothing to ask",
    { text: "x", structure: [{ entity: "cat", attributes: [] }] },
    "not-applicable",
  ],
  ["a text that the rules leave alone", { text: "a zorp cat" }, "not-applicable"],
  ["a refusal", { text: "a blue cat" }, "refused"],
])("%s is no answer", async (_, input, reason) => {
  const { model } = answersByHeart(answers);
  await expect(blipVqa({ model }).score({ image, ...input })).rejects.toMatchObject({ reason });
});

test("a question about attributes has no place for a phrase, and is never asked with its places empty", async () => {
  const { model } = answersByHeart(answers);
  const template = "Is the {entity} {attribute}?";
  await expect(
    blipVqa({ model, template }).score({ image, text: "a blue cat" }),
  ).rejects.toMatchObject({ reason: "not-applicable" });
  expect(() => blipVqa({ model, template, convention: "noun-phrases" })).toThrow(
    "Expected {text} somewhere in the template",
  );
});
