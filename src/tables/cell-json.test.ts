import { expect, test } from "vitest";
import { cellText } from "./cell-json.js";

test.each([
  [null, ""],
  [undefined, ""],
  ["a", "a"],
  [0.5, "0.5"],
  [2n ** 60n, "1152921504606846976"],
  [[1n, null], "[1,null]"],
  [{ seeds: [2n ** 60n] }, '{"seeds":["1152921504606846976"]}'],
])("the text of the cell %o is %o", (cell, text) => {
  expect(cellText(cell)).toBe(text);
});
