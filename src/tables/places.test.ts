import { expect, test } from "vitest";
import { Places } from "./places.js";

test("gives the line of a value that was seen, and notes those that were not", () => {
  const places = new Places();
  expect(places.firstLine("a", 7)).toBeUndefined();
  expect(places.firstLine("b", 8)).toBeUndefined();
  expect(places.firstLine("a", 9)).toBe(7);
  expect(places.firstLine("a", 10)).toBe(7);
  expect(places.firstLine("", 11)).toBeUndefined();
});

test("takes no two of 300,000 values that hardly differ for one", () => {
  const places = new Places();
  const values = Array.from({ length: 100_000 }, (_, at) => [
    `["${at}","clip-score"]`,
    `["${at}","clip-scorf"]`,
    `["clip-score","${at}"]`,
  ]).flat();
  const found = values.flatMap((value, at) => places.firstLine(value, at + 1) ?? []);
  expect(found).toEqual([]);
  const again = values.filter((value, at) => places.firstLine(value, 1) !== at + 1);
  expect(again).toEqual([]);
});
