import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures } from "../../../test/support/sums-of-rows.js";

interface Row {
  readonly item: string;
  readonly annotator: string;
  readonly value: number | null;
}

/** What the printed query says of rows, worked out row by row. */
const sums = (rows: readonly Row[]) =>
  csvOf(
    counted(rows, ({ item, annotator, value }) => ({
      touchstone_sums: "agreement",
      part: "ratings",
      rated_item: item,
      rated_by: annotator,
      said: value,
    })),
    ["repeats", "inexact"],
  );

const rowsOf = (items: readonly string[], annotators: readonly string[]) =>
  fc
    .uniqueArray(
      fc.record({
        item: fc.constantFrom(...items),
        annotator: fc.constantFrom(...annotators),
        value: fc.constantFrom(null, 1, 2, 3),
        copy: fc.nat(annotators.length > 1 ? 0 : 5),
      }),
      { minLength: 4, maxLength: 20, selector: (row) => JSON.stringify({ ...row, value: 0 }) },
    )
    .map((rows) => rows.map(({ copy, ...row }): Row => row))
    // From sums, items and annotators come in the order of their names.
    .map((rows) =>
      rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    );

test.each([
  ["named annotators", ["i", "j", "k"], ["ann", "bob", "cid"]],
  ["anonymous ones", ["i", "j", "k"], [""]],
  ["one item", ["i"], [""]],
])("sums of ratings by %s give their figures and intervals, byte by byte", async (_, items, by) => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf(items, by),
      fc.constantFrom("nominal", "ordinal", "interval"),
      async (rows, scale) => {
        const options = { scale };
        const found = await figures("agreement", csvOf(rows), options);
        expect(found).toMatch(/^\{/);
        expect(await figures("agreement", sums(rows), options)).toBe(found);
      },
    ),
    { numRuns: 12 },
  );
});

test("sums that can't be read are refused by their columns", async () => {
  const rows = [1, 2, 2].map((value, at) => ({ item: "i", annotator: `rater ${at}`, value }));
  const text = sums(rows);
  const options = { scale: "ordinal" };
  expect(await figures("agreement", text, options)).toMatch(/^\{/);
  expect(await figures("agreement", text.replace("ratings,i,", "ratings,,"), options)).toContain(
    "Expected item in each row but table.csv sums 1 row without it",
  );
  const counts = text.replace(/,1,,\n/, ",many,,\n");
  expect(await figures("agreement", counts, options)).toMatch(
    /for row_count but received "many" \(in table\.csv, line 2\)/,
  );
});
