import { expect, test } from "vitest";
import { readResult } from "./result.js";

test("a gate that no single model misses is failed by itself, with its reason", () => {
  const cautions = ["3 prompts of the baseline are missing"];
  const models = [{ model: "a", passed: true }];
  const { checks } = readResult({ verdict: "", gate: { passed: false, models, cautions } });
  expect(checks).toMatchObject([
    { name: "gate", of: {}, state: "failed", message: cautions[0] },
    { name: "gate", of: { model: "a" }, state: "passed" },
  ]);
});
