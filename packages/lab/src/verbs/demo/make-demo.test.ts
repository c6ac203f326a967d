import { expect, test } from "vitest";
import { demoChapters } from "./chapters.js";
import { demoBudget } from "./make-demo.js";

test("every chapter says what it takes, and all of the medium size fit into the three minutes", () => {
  const { limit, chapters } = demoBudget();
  expect(Object.keys(chapters)).toEqual([
    "prototypicality",
    ...demoChapters.map(({ name }) => name),
  ]);
  const sum = Object.values(chapters).reduce((total, { medium }) => total + medium, 0);
  expect(sum).toBeLessThanOrEqual(limit);
});
