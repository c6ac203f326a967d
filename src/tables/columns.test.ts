import { expect, test } from "vitest";
import { answer, probability, score, text } from "./columns.js";

test.each([true, false])("NA is no number where one is expected (text alone: %s)", (isText) => {
  for (const kind of [score, probability, answer]) {
    expect(kind.read("NA", { isText })).toEqual({ value: null });
    expect(kind.read(" NA ", { isText })).toEqual({ value: null });
    expect(kind.read("NaN", { isText })).toHaveProperty("expected");
  }
  expect(text.read("NA", { isText })).toEqual({ value: "NA" });
});
