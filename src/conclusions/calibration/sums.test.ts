import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures } from "../../../test/support/sums-of-rows.js";

interface Row {
  readonly id: string;
  readonly prompt: string;
  readonly label: number | null;
  readonly probability: number | null;
}

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[]) {
  const hasPrompts = rows.some(({ prompt }) => prompt !== "");
  const cells = counted(rows, ({ id, prompt, label, probability }) => ({
    touchstone_sums: "calibration",
    part: "answers",
    cluster_name: hasPrompts ? prompt || id : "",
    prompted: Number(prompt !== ""),
    said: label,
    claimed: probability,
  }));
  return csvOf(cells, ["repeats", "inexact"]);
}

const rowsOf = (prompts: readonly string[]) =>
  fc
    .array(
      fc.record({
        prompt: fc.constantFrom(...prompts),
        label: fc.constantFrom(null, 0, 1, 1, 0),
        probability: fc.constantFrom(null, 0, -0, 0.3, 0.5, 0.5, 0.8, 1),
      }),
      { maxLength: 24 },
    )
    .map((some) =>
      [
        { prompt: prompts[0] ?? "", label: 1, probability: 0.8 },
        // Beside 0.3 a 0 is no code for a missing answer, of which only rows warn.
        { prompt: prompts[0] ?? "", label: 0, probability: 0.3 },
        ...some,
      ].map((row, at) => ({ id: `answer ${at}`, ...row })),
    );

test.each([[["a", "b", ""]], [["a"]], [[""]]])(
  "sums of answers to prompts %j give their figures and intervals, byte by byte",
  async (prompts) => {
    await fc.assert(
      fc.asyncProperty(rowsOf(prompts), async (rows) => {
        const found = await figures("calibration", csvOf(rows));
        expect(found).toMatch(/^\{/);
        expect(await figures("calibration", sums(rows))).toBe(found);
      }),
      { numRuns: 12 },
    );
  },
);

test("sums that can't be read are refused by their columns", async () => {
  const rows = [
    { id: "1", prompt: "a", label: 1, probability: 0.9 },
    { id: "2", prompt: "a", label: 0, probability: 0.2 },
  ];
  const text = sums(rows);
  const read = (wrong: string) => figures("calibration", wrong);
  expect(await read(text.replace("0.2", "1.2"))).toMatch(
    /for claimed but received "1.2" \(in table\.csv, line 3\)/,
  );
  expect(
    await read(text.replace("calibration,answers,a,1,0", "calibration,answers,a,1,7")),
  ).toMatch(/for said but received "7" \(in table\.csv, line 3\)/);
  const [head, ...others] = text.trim().split("\n");
  const repeated = [head, ...others, "calibration,names,,,,,1,2,"].join("\n");
  expect(await read(repeated)).toContain(
    "Expected each id once but 2 rows of table.csv repeated another's",
  );
});
