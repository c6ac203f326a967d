import { expect, test } from "vitest";
import { otherModelsText, toldApart } from "./answered-by.js";

const record = (answeredBy?: string, model = "openai-compatible:tiny") => ({
  model,
  baseUrl: "http://host/v1",
  ...(answeredBy === undefined ? {} : { answeredBy: [answeredBy] }),
});

test("records of a model are told apart where another answered for some of them", () => {
  const models = toldApart([record(), record("b"), record("c"), record("b", "other")]).map(
    ({ model }) => model,
  );
  expect(models).toEqual([
    "openai-compatible:tiny",
    "openai-compatible:tiny (answered by b)",
    "openai-compatible:tiny (answered by c)",
    "other",
  ]);
});

test("records that one model answered stay as they are", () => {
  for (const records of [[record(), record()], [record("b"), record("b")], []]) {
    expect(toldApart(records)).toBe(records);
  }
});

test("a sentence says how many answers are whose", () => {
  expect(otherModelsText(new Map(), 5)).toBeUndefined();
  const all = otherModelsText(new Map([["b", 5]]), 5);
  const some = otherModelsText(new Map([["b", 2]]), 5);
  expect(all).toContain("5 of 5 by b");
  expect(some).toContain("2 of 5 by b");
  expect(String(some).length).toBeGreaterThan(String(all).length);
});
