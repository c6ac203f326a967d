import { expect, test } from "vitest";
import { parseMap } from "./map.js";

test("takes names to columns; a column may hold the equals sign and blanks", () => {
  expect(parseMap(["correct=my column", "id=a=b"])).toEqual({ correct: "my column", id: "a=b" });
  expect(parseMap([])).toEqual({});
});

test("another form, or one name twice, is the user's to mend", () => {
  for (const text of ["correct", "=x", "correct="]) {
    expect(() => parseMap([text])).toThrow(`Expected NAME=COLUMN for --map but received "${text}"`);
  }
  expect(() => parseMap(["id=a", "id=b"])).toThrow("Expected --map id= once");
});
