import { expect, test } from "vitest";
import { shareAfterNone } from "./share-after-none.js";

test("is the share with which none of n happens in one case of twenty", () => {
  for (const n of [1, 3, 20, 300]) expect((1 - shareAfterNone(n)) ** n).toBeCloseTo(0.05, 12);
  expect(shareAfterNone(300)).toBeCloseTo(0.00994, 5);
});

test("says nothing from nothing", () => {
  expect(shareAfterNone(0)).toBe(1);
});
