import { expect, test } from "vitest";
import { foundJson } from "./json-answer.js";

test("one comma after the last member is passed over, and many are no JSON", () => {
  expect(foundJson('{"a": [1, 2, ], "b": ",}", }')).toEqual([{ a: [1, 2], b: ",}" }]);
  expect(foundJson(`[1${",".repeat(20_000)}]`)).toEqual([]);
});

test("a string that never ends is searched once, not from each quote within", {
  timeout: 2000,
}, () => {
  expect(foundJson(`["${'\\"'.repeat(200_000)}`)).toEqual([]);
});
