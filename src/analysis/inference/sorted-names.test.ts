import { expect, test } from "vitest";
import { alikeNames } from "./sorted-names.js";

test("a long name of zeros and a letter is read in one pass", { timeout: 2000 }, () => {
  const zeros = "0".repeat(100_000);
  expect(alikeNames([`${zeros}x`, zeros, "0", "00.0"])).toEqual([["0", "00.0", zeros]]);
});

test("capitals, spaces, zeros and ways to write accents make no other name", () => {
  const names = [
    "red",
    "Red ",
    "blue",
    "a  b",
    "a b",
    "caf\u00e9",
    "cafe\u0301",
    "red",
    "7.0",
    "007",
    "10",
  ];
  expect(alikeNames(names)).toEqual([
    ["007", "7.0"],
    ["Red ", "red"],
    ["a  b", "a b"],
    ["cafe\u0301", "caf\u00e9"],
  ]);
  expect(alikeNames(["red", "blue"])).toEqual([]);
});
