import { expect, test } from "vitest";
import { hashOf, Places } from "./places.js";

test("gives the line of a value that was seen, and notes those that were not", () => {
  const places = new Places();
  expect(places.firstLine(hashOf("a"), 7)).toBeUndefined();
  expect(places.firstLine(hashOf("b"), 8)).toBeUndefined();
  expect(places.firstLine(hashOf("a"), 9)).toBe(7);
  expect(places.firstLine(hashOf("a"), 10)).toBe(7);
  expect(places.firstLine(hashOf(""), 11)).toBeUndefined();
});

test("takes no two of 300,000 values that hardly differ for one", () => {
  const places = new Places();
  const values = Array.from({ length: 100_000 }, (_, at) => [
    `["${at}","clip-score"]`,
    `["${at}","clip-scorf"]`,
    `["clip-score","${at}"]`,
  ]).flat();
  const found = values.flatMap((value, at) => places.firstLine(hashOf(value), at + 1) ?? []);
  expect(found).toEqual([]);
  const again = values.filter((value, at) => places.firstLine(hashOf(value), 1) !== at + 1);
  expect(again).toEqual([]);
});
