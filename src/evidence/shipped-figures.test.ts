import { expect, test } from "vitest";
import { noSpread } from "../analysis/inference/intervals.js";
import { shippedFigures } from "./shipped-figures.js";

test("a shipped figure without an interval says why in the words of a fresh one", () => {
  const of = (name: string) => shippedFigures().sets.find((set) => set.name === name)?.metrics;
  expect(of("imagenhub-mask-edits")?.["VIEScore (CogVLM)"]).toMatchObject({
    kendallTauB: { value: -1, low: null, reason: noSpread },
  });
});
