import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { readTable } from "./table.js";
import { timesAsNumbers } from "./times-as-numbers.js";

test.each([
  [[1_700_000_000, Number.NaN, 1_700_000_060], "1700000000 is 2023-11-14"],
  [[1_700_000_000_123, 1_700_000_000_456], "1700000000123 is 2023-11-14"],
])("%j are times", (values, said) => {
  expect(timesAsNumbers("created", values)).toBe(
    `created has times in place of scores: ${said}; name the column of scores`,
  );
});

test.each([
  [[1, 2, 3]],
  [[1_700_000_000, 5]],
  [[1_700_000_000.5]],
  [[1_700_000_000, 1_700_000_000_000]],
  [[Number.NaN]],
  [[1_234_567_890, 1_234_567_890]],
  [[3_912_040_112, 1_204_889_103, 2_400_000_001]],
])("%j are none", (values) => {
  expect(timesAsNumbers("created", values)).toBeUndefined();
});

test("a table says so of a column that is read as scores, and of no other", async () => {
  const told: string[] = [];
  const content = "item,created,score\na,1700000000,0.1\nb,1700000100,0.7\n";
  const read = (column: string) =>
    readTable({
      source: tableOf("a.csv", content),
      tell: (sentence) => told.push(sentence),
      shape: { kinds: { item: text, [column]: score } },
    });
  await read("score");
  expect(told).toEqual([]);
  await read("created");
  expect(told).toEqual([expect.stringContaining("created has times")]);
});
