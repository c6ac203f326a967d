import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import faults from "../scripts/mutations.json" with { type: "json" };

test("each fault that the soak plants finds what it replaces", () => {
  const lost = faults.filter(({ file, right }) => {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
    return !source.includes(right);
  });
  expect(lost).toEqual([]);
});
