import { expect, test } from "vitest";
import { lostNumber } from "./lost-number.js";

test.each([
  ['{"score": 1e-400}', "1e-400"],
  ['[0, {"a": [-2.5E-999]}]', "2.5E-999"],
  [`0.${"0".repeat(400)}1`, `0.${"0".repeat(400)}1`],
  ['{"a": "1e-400", "b": 0}', undefined],
  ['{"a": "\\"1e-400\\""}', undefined],
  ['{"a": 0e-400, "b": 0.0, "c": -0, "d": 1e-300, "e": 5e-324}', undefined],
])("of %j the number that would be lost is %j", (text, lost) => {
  expect(lostNumber(text)).toBe(lost);
});
