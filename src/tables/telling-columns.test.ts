import { expect, test } from "vitest";
import { hashOf, Places } from "./telling-columns.js";

const firstLine = (places: Places, value: string, line: number) => {
  const { high, low } = hashOf(value);
  return places.firstLine(high, low, line);
};

test("gives the line of a value that was seen, and notes those that were not", () => {
  const places = new Places();
  expect(firstLine(places, "a", 7)).toBeUndefined();
  expect(firstLine(places, "b", 8)).toBeUndefined();
  expect(firstLine(places, "a", 9)).toBe(7);
  expect(firstLine(places, "a", 10)).toBe(7);
  expect(firstLine(places, "", 11)).toBeUndefined();
});

test("takes no two of 300,000 values that hardly differ for one", () => {
  const places = new Places();
  const values = Array.from({ length: 100_000 }, (_, at) => [
    `["${at}","clip-score"]`,
    `["${at}","clip-scorf"]`,
    `["clip-score","${at}"]`,
  ]).flat();
  const found = values.flatMap((value, at) => firstLine(places, value, at + 1) ?? []);
  expect(found).toEqual([]);
  const again = values.filter((value, at) => firstLine(places, value, 1) !== at + 1);
  expect(again).toEqual([]);
});
