import { expect, test } from "vitest";
import { type MetricOutcome, mostlyUnscored } from "./mostly-unscored.js";

const outcome = (name: string, scored: number, reasons: MetricOutcome["reasons"] = {}) => ({
  name,
  scored,
  reasons,
});

const said = (outcomes: readonly MetricOutcome[], command = true) => {
  const error = mostlyUnscored(outcomes, {
    judgesPhotographs: true,
    again: (names) => (command ? `touchstone score x ${names.join(" ")}` : undefined),
  });
  return error === undefined ? undefined : `${error.message}\n${error.hint}`;
};

test("half unscored is incomplete, and the same command goes on", () => {
  expect(said([outcome("a", 6, { timeout: 5 })])).toBeUndefined();
  expect(said([outcome("a", 5, { timeout: 5 })])).toContain("5 of 10 results are unscored");
  expect(said([])).toBeUndefined();
  expect(said([outcome("a", 4, { timeout: 5, refused: 1 })])).toBe(
    "6 of 10 results are unscored: 1 refused, 5 timeout\nEach result's detail says why.\n" +
      "Go on: touchstone score x a",
  );
  expect(said([outcome("a", 1, { timeout: 2 })], false)).not.toContain("Go on");
});

test("a metric that scored nothing with its model is incomplete, and left out of what goes on", () => {
  expect(said([outcome("a=x", 30), outcome("a=y", 0, { "bad-input": 30 })])).toBe(
    "30 of 60 results are unscored: 30 bad-input\n" +
      "a=y scored none of 30: 30 bad-input\nEach result's detail says why.\n" +
      "Go on, without what scored nothing: touchstone score x a=x",
  );
});

test("where nothing was scored at all, it says so", () => {
  expect(said([outcome("a", 0, { refused: 2 }), outcome("b", 0, { timeout: 1 })])).toContain(
    "Nothing was scored: 2 refused, 1 timeout",
  );
});
