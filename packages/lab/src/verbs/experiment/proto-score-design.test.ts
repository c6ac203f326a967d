import { expect, test } from "vitest";
import { changedSince, loadProtoScoreDesign, startProbability } from "./proto-score-design.js";

const design = loadProtoScoreDesign();

test("the start's probability is one half where its slope is centred, and rises with the cosine", () => {
  const probability = startProbability(design);
  expect(probability(2.5 * design.settings.middle)).toBeCloseTo(0.5, 12);
  expect(probability(0)).toBeLessThan(0.1);
  // As the program that trains has it: the expected digit over 9 at cosines 0.4 and 0.7.
  expect(probability(2.5 * 0.4)).toBeCloseTo(0.3006847125, 6);
  expect(probability(2.5 * 0.7)).toBeCloseTo(0.6993152875, 6);
});

test("files that changed since the training are named", () => {
  const trainedOn = { ...design.trainedOn, "templates.yaml": "0".repeat(64) };
  expect(changedSince({ trainedOn })).toContain("templates.yaml");
});
