import { expect, it } from "vitest";
import { numberOf, rowsAt, textOf } from "./collect-set.js";

const placed = (row: unknown, captured: Record<string, string> = {}) => ({ row, captured });

it("finds rows below keys and says which", () => {
  const document = { p1: { models: { x: [1], y: [2] } } };
  expect([...rowsAt(document, "*.models.*")]).toEqual([
    { row: [1], captured: { 0: "p1", 1: "x" } },
    { row: [2], captured: { 0: "p1", 1: "y" } },
  ]);
});

it.each([
  ["a number", { s: 0.5 }, "s", 0.5],
  ["a number as text with a line end", { s: "7\n" }, "s", 7],
  ["a list within a text", { s: "[0.5, 1]" }, "s.1", 1],
  ["a column whose name has dots", { "a.b": "3" }, "a.b", 3],
  ["words", { s: "tie" }, { of: "s", words: { tie: 0 } }, 0],
  ["another word", { s: "NON-format" }, { of: "s", words: { tie: 0 } }, null],
  ["text that is no number", { s: "NON-format" }, "s", null],
  ["nothing", {}, "s", null],
  ["a part of a text, turned round", { s: "2b" }, { of: "s", match: "^(\\d+)", times: -1 }, -2],
  ["a difference", { a: 3, b: 1 }, { of: "a", minus: "b" }, 2],
  ["a difference to nothing", { a: 3 }, { of: "a", minus: "b" }, null],
  ["the least of a list", { s: [4, 2] }, { of: "s", take: "min" as const }, 2],
  ["the least of a bare number", { s: 8 }, { of: "s", take: "min" as const }, 8],
  ["an empty list", { s: [] }, { of: "s", take: "min" as const }, null],
  [
    "a number that stands in for an answer",
    { s: [3], r: "guess_if_cannot_parse | no" },
    { of: "s", take: "min" as const, unless: { r: "guess" } },
    null,
  ],
] as const)("reads %s", (_, row, spec, value) => {
  expect(numberOf(placed(row), spec)).toBe(value);
});

it("makes names of a row and of what its place says, and none where a part is missing", () => {
  const row = placed({ id: 7, file: "images/003-01.jpg" }, { model: "x" });
  expect(textOf(row, "{id}/{model}")).toBe("7/x");
  expect(textOf(row, { text: "{file}", match: "(\\d+)-(\\d+)" })).toBe("003/01");
  expect(textOf(row, "{id}/{other}")).toBeUndefined();
});
