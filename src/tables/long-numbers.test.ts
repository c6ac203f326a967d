import { expect, test } from "vitest";
import { score, text } from "./columns.js";
import { parsedJson } from "./python-json.js";

test("whole numbers beyond 2^53 are kept as their text, wherever they stand", () => {
  expect(
    parsedJson(
      '{"id": 1234567890123456789, "of": [-9007199254740993, 9007199254740991], "score": 0.1234567890123456, ' +
        '"far": 1e20, "said": "12345678901234567890 and \\"12345678901234567891\\"", "nan": NaN}',
    ),
  ).toEqual({
    id: "1234567890123456789",
    of: ["-9007199254740993", 9007199254740991],
    score: 0.1234567890123456,
    far: 1e20,
    said: '12345678901234567890 and "12345678901234567891"',
    nan: null,
  });
});

test("as values they are refused, in text, too", () => {
  for (const isText of [true, false]) {
    expect(score.read("9007199254740993", { isText })).toHaveProperty("expected");
  }
  expect(score.read("1e20", { isText: true })).toEqual({ value: 1e20 });
  expect(text.read("9007199254740993", { isText: true })).toEqual({ value: "9007199254740993" });
});
