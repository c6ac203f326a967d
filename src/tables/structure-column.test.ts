import { expect, test } from "vitest";
import { structure } from "./structure-column.js";

const entities = [
  { entity: "skirt", attributes: ["striped", "red"] },
  { entity: "cat", attributes: [] },
];

test("a list, or text that holds one, or nothing", () => {
  expect(structure.read(entities, { isText: false })).toEqual({ value: entities });
  expect(structure.read(JSON.stringify(entities), { isText: true })).toEqual({ value: entities });
  for (const nothing of [undefined, null, "", "  "]) {
    expect(structure.read(nothing, { isText: true })).toEqual({ value: undefined });
  }
});

test.each([
  ["{", "no JSON"],
  ["skirt", "no JSON"],
  ["[]", "no entity"],
  [[{ entity: "skirt" }], "no attributes"],
  [[{ entity: "", attributes: [] }], "an empty name"],
  [[{ entity: "skirt", attributes: [""] }], "an empty attribute"],
  [[{ entity: "skirt", attributes: "red" }], "text for the attributes"],
  [7, "a number"],
])("%j is refused: %s", (cell: unknown, _why: string) => {
  expect(structure.read(cell, { isText: false })).toEqual({
    expected: expect.stringContaining('such as [{"entity": "skirt", "attributes": ["red"]}]'),
  });
});
