import { expect, test } from "vitest";
import { alikeNames } from "./sorted-names.js";

test("capitals, spaces and ways to write accents make no other name", () => {
  const names = ["red", "Red ", "blue", "a  b", "a b", "caf\u00e9", "cafe\u0301", "red"];
  expect(alikeNames(names)).toEqual([
    ["Red ", "red"],
    ["a  b", "a b"],
    ["cafe\u0301", "caf\u00e9"],
  ]);
  expect(alikeNames(["red", "blue"])).toEqual([]);
});
