import { expect, test } from "vitest";
import { viewOfMetric } from "./found.js";
import { shippedFigures } from "./shipped-figures.js";

const { sets } = shippedFigures();
const verdictOf = (name: string) => viewOfMetric(name, sets).verdict;

test("a metric is found by its name, in other capitals and signs, or by a beginning of its own", () => {
  const clip = verdictOf("CLIPScore");
  expect(clip).toMatch(/^CLIPScore: /);
  expect(verdictOf("clip-score")).toBe(clip);
  expect(verdictOf("clips")).toBe(clip);
  expect(verdictOf("viescore gpt-4o")).toBe(verdictOf("VIEScore (GPT-4o)"));
});

const hintOf = (name: string) => {
  try {
    return verdictOf(name);
  } catch (error) {
    return error;
  }
};

test("a beginning of several metrics names them, and an unknown one the nearest", () => {
  expect(hintOf("VIEScore")).toMatchObject({
    message: 'Expected a metric with published evidence but received "VIEScore"',
    hint: expect.stringMatching(/^\d+ begin so: "VIEScore \(GPT-4o\)", "VIEScore .+ and "/),
  });
  expect(hintOf("CLIPScroe")).toMatchObject({ hint: 'Did you mean "CLIPScore"?' });
  expect(hintOf("")).toMatchObject({ hint: "touchstone evidence --details lists all metrics." });
});
