import { expect, test } from "vitest";
import { fitted, fittedApart, textWidth, wrapped } from "./text-width.js";

test("what fits stays, what doesn't keeps its beginning and end", () => {
  expect(fitted("clip-score", 200, 12)).toBe("clip-score");
  const long = `${"openai/clip-vit-large-patch14-336-".repeat(2)}v2`;
  const short = fitted(long, 190, 12);
  expect(short).toMatch(/^openai\/clip.*….*v2$/);
  expect(textWidth(short, 12)).toBeLessThanOrEqual(190);
  expect(fitted(long, 1, 12)).toBe("…");
});

test("no letter is cut in two and none is lost at a line's end", () => {
  expect(fitted("😀".repeat(40), 100, 12)).toMatch(/^(?:😀)+…(?:😀)+$/u);
  const name = "a-judge-with-a-long-name/and-a-model-of-sixty-letters-in-all";
  const lines = wrapped(name, 240, 12, 2);
  expect(lines).toHaveLength(2);
  expect(lines.join("")).toBe(name);
  for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(240);
  expect(wrapped("x".repeat(400), 100, 12, 2)).toHaveLength(2);
  expect(wrapped("", 100, 12, 2)).toEqual([""]);
});

test("names that differ in their middle stay apart", () => {
  const names = [1, 2, 30].map((at) => `annotator-of-the-study-${at}@a-long-host.example.org`);
  expect(fittedApart(names, 100, 12)).toEqual(["…he-study-1…", "…he-study-2…", "…he-study-30…"]);
  expect(fittedApart(["Ada", "Ben"], 100, 12)).toEqual(["Ada", "Ben"]);
  expect(fittedApart(["Ada", "Ada"], 100, 12)).toEqual(["Ada", "Ada"]);
});
