import { expect, test } from "vitest";
import { nameEnd, stepNames } from "./name-end.js";

test("a name that fits is whole, of a longer one the end is shown", () => {
  expect(nameEnd("paint-images", 12)).toBe("paint-images");
  expect(nameEnd("Painting people (lab:painter)", 18)).toBe("… (lab:painter)");
  expect(nameEnd("score-images-clip-score", 12)).toBe("…-clip-score");
});

test("steps whose ends are alike are told apart by what differs", () => {
  const model = "openai-compatible-vlm-127-0-0-1-41689-v1";
  const names = [
    "check-truth",
    `score-images-vqa-score-${model}`,
    `score-images-blip-vqa-${model}`,
  ];
  expect(stepNames(names, 69, 45)).toEqual([
    "check-truth",
    "…vqa-score-openai-compa…",
    "…blip-vqa-openai-compat…",
  ]);
  expect(stepNames(names.slice(0, 2), 69, 45)[1]).toMatch(/^….*41689-v1$/);
});
