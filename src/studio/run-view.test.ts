import { expect, test } from "vitest";
import { marginsOf } from "./run-view.js";

const almost = 0.8 + 1e-8;
const table = (against: "own" | "swapped" | "prompt", values: readonly number[]) => ({
  direction: "higher" as const,
  against,
  identity: "clip-score",
  value: (image: number) => values[image] ?? Number.NaN,
});

test("scores that differ by rounding tie: no margin, which fails a pair and no description", () => {
  const [own, swapped] = [table("own", [0.8, 0.8, 0.8]), table("swapped", [0.5, almost, 0.9])];
  const described = marginsOf(own, {
    index: { rows: [0, 1, 2], tables: [own, swapped] },
    pairs: [],
  });
  expect([0, 1, 2].map((at) => described.margin(at))).toEqual([0.8 - 0.5, 0, 0.8 - 0.9]);
  expect([0, 1, 2].map((at) => described.failed(at))).toEqual([false, false, true]);
  const paired = marginsOf(table("prompt", [almost, 0.8]), {
    index: { rows: [0, 1], tables: [] },
    pairs: [{ id: "a", kind: "contrastive", first: 0, second: 1 }],
  });
  expect([paired.margin(0), paired.failed(0)]).toEqual([0, true]);
});
