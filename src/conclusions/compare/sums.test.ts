import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures, splitNumber } from "../../../test/support/sums-of-rows.js";
import { tableOf } from "../../tables/bytes.js";
import { conclude } from "../conclusions.js";

interface Row {
  readonly model: string;
  readonly prompt: string;
  readonly score: number | null;
}

const tied = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other));

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[]) {
  const cells = counted(
    rows,
    ({ model, prompt }) => ({
      part: "cells",
      by_metric: "clip",
      by_model: model,
      by_prompt: prompt,
    }),
    ({ score }) => ({ scored: Number(score !== null), ...splitNumber("score", score ?? 0) }),
  ).map((cell) => {
    const its = rows.flatMap(({ model, prompt, score }) =>
      model === cell.by_model && prompt === cell.by_prompt && score !== null ? [score] : [],
    );
    if (its.length === 0) return cell;
    return { ...cell, lowest: Math.min(...its), highest: Math.max(...its) };
  });
  const met = rows.flatMap((one) =>
    rows.flatMap((two) => {
      if (one.prompt !== two.prompt || !(one.model < two.model)) return [];
      return one.score === null || two.score === null
        ? []
        : [{ ...one, other: two.model, mine: one.score, its: two.score }];
    }),
  );
  const against = counted(
    met,
    ({ model, prompt, other }) => ({
      part: "against",
      by_metric: "clip",
      by_model: model,
      by_prompt: prompt,
      other,
    }),
    ({ mine, its }) => {
      const isTie = tied(mine, its);
      return {
        above: Number(!isTie && mine > its),
        ties: Number(isTie),
        below: Number(!isTie && mine < its),
      };
    },
  );
  const all = [...cells, ...against].map((row) => ({ touchstone_sums: "compare", ...row }));
  return csvOf(all, ["other", "above", "ties", "below", "lowest", "highest", "repeats", "inexact"]);
}

const score = fc.oneof(
  fc.constantFrom(null, 0, -0, 0.3, 0.7, 0.7000001),
  fc.integer({ min: -3e6, max: 3e6 }).map((whole) => whole / 999_983),
);
const rowsOf = (prompts: readonly string[]) =>
  fc.array(
    fc.record({
      model: fc.constantFrom("ann", "bob", "cid"),
      prompt: fc.constantFrom(...prompts),
      score,
    }),
    { minLength: 1, maxLength: 24 },
  );

test.each([[["a cat", "a dog", "a hat"]], [["a cat"]]])(
  "sums give the figures and intervals of the images of %j, byte by byte",
  async (prompts) => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf(prompts),
        fc.constantFrom("higher", "lower"),
        async (some, direction) => {
          const known = [
            { model: "ann", prompt: "a cat", score: 0.3 },
            { model: "bob", prompt: "a cat", score: -0 },
          ];
          const rows = [...known, ...some].map((row) => ({ ...row, metric: "clip" }));
          const found = await figures("compare", csvOf(rows), { direction });
          expect(found).toMatch(/^\{/);
          expect(await figures("compare", sums(rows), { direction })).toBe(found);
        },
      ),
      { numRuns: 12 },
    );
  },
);

test("sums that can't be read are refused by their columns", async () => {
  const rows = [
    { model: "ann", prompt: "a cat", score: 0.3 },
    { model: "bob", prompt: "a cat", score: 0.1 },
  ];
  const text = sums(rows);
  expect(await figures("compare", text)).toMatch(/^\{/);
  const [head = "", first = "", ...others] = text.split("\n");
  const broken = (line: string) => figures("compare", [head, first, line, ...others].join("\n"));
  expect(await broken(first.replace(",ann,", ",,"))).toContain(
    "Expected model in each row but table.csv sums 1 row without it",
  );
  expect(await broken(first.replace("compare", "swap"))).toContain(
    "Expected sums of compare in table.csv but received those of swap",
  );
  expect(await broken(first.replace(/cells/, "cells").replace(/0\.3/g, "much"))).toMatch(
    /for (lowest|highest) but received "much" \(in table\.csv, line 3\)/,
  );
  expect(await figures("compare", text, { metric: "vqa" })).toContain(
    'Expected a metric of table.csv for --metric but received "vqa"',
  );
  const alone = text.split("\n").filter((line) => !line.includes("against"));
  expect(await figures("compare", alone.join("\n"))).toContain(
    "Expected the whole answer of the query for compare but table.csv has other rows",
  );
  const mixed = text.replaceAll("clip", "vqa");
  const both = `${text}${mixed.slice(mixed.indexOf("\n") + 1)}`;
  expect(await figures("compare", both)).toContain(
    "Expected one metric in table.csv but its column metric has clip and vqa",
  );
  expect(await figures("compare", both, { metric: "clip" })).toBe(await figures("compare", text));
});

test("sums hold no scores of images: null, with the reason", async () => {
  const rows = [
    { model: "ann", prompt: "a cat", score: 0.3 },
    { model: "bob", prompt: "a cat", score: 0.1 },
  ];
  const { scores, scoresReason } = (
    await conclude("compare", tableOf("sums.csv", sums(rows)), {})
  ).json();
  expect({ scores, scoresReason }).toEqual({
    scores: null,
    scoresReason: "the table holds sums, no scores of single images",
  });
});
