import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures } from "../../../test/support/sums-of-rows.js";

interface Row {
  readonly a: string;
  readonly b: string;
  readonly preferred: string;
  readonly prompt: string;
  readonly annotator: string;
}

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[]) {
  const peopleOf = (some: readonly Row[]) =>
    new Set(some.flatMap(({ annotator }) => annotator || [])).size;
  const several = peopleOf(rows.filter(({ preferred }) => !["", "n/a"].includes(preferred))) > 1;
  const asked = [
    ...new Set(rows.filter((row) => row.annotator).flatMap((row) => row.prompt || [])),
  ];
  const shared = asked.filter(
    (prompt) => peopleOf(rows.filter((row) => row.prompt === prompt)) > 1,
  );
  const cells = counted(rows, ({ a, b, preferred, prompt, annotator }) => ({
    touchstone_sums: "preferences",
    part: "comparisons",
    annotator,
    kept_prompt: several ? "" : prompt,
    first_model: a,
    second_model: b,
    said: preferred,
    are_shared: Number(2 * shared.length > asked.length),
  }));
  return csvOf(cells, ["repeats", "inexact"]);
}

const pairs = ["ann,bob", "bob,ann", "ann,cid", "cid,bob"].map((pair) => pair.split(","));
const rowsOf = (prompts: readonly string[], annotators: readonly string[]) =>
  fc.array(
    fc
      .record({
        pair: fc.constantFrom(...pairs),
        preferred: fc.constantFrom("a", "b", "a", "b", "tie", "", "n/a"),
        prompt: fc.constantFrom(...prompts),
        annotator: fc.constantFrom(...annotators),
      })
      .map(({ pair: [a = "", b = ""], ...row }): Row => ({ a, b, ...row })),
    { minLength: 3, maxLength: 24 },
  );

test.each([
  ["several annotators", ["p", "q", ""], ["x", "y", "z"]],
  ["prompts", ["p", "q", "r"], [""]],
  ["one annotator", ["p", "q"], ["x"]],
  ["one prompt", ["p"], [""]],
])(
  "sums of comparisons of %s give their figures and intervals, byte by byte",
  async (_, prompts, by) => {
    await fc.assert(
      fc.asyncProperty(rowsOf(prompts, by), async (rows) => {
        const found = await figures("preferences", csvOf(rows), { prior: "0.5" });
        expect(found).toMatch(/^\{/);
        expect(await figures("preferences", sums(rows), { prior: "0.5" })).toBe(found);
      }),
      { numRuns: 12 },
    );
  },
);

test("sums that can't be read are refused by their columns", async () => {
  const row = { a: "ann", b: "bob", preferred: "a", prompt: "p", annotator: "x" };
  const text = sums([row, { ...row, preferred: "b" }]);
  const read = (wrong: string) => figures("preferences", wrong);
  expect(await read(text)).toMatch(/^\{/);
  expect(await read(text.replace("bob,b", "bob,dan"))).toContain(
    'for preferred but received "dan"',
  );
  expect(await read(text.replace("x,p,ann,bob,b", ",,ann,bob,b"))).toContain(
    "Expected a prompt of each comparison in table.csv",
  );
});
