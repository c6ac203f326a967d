import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures, tausWithin } from "../../../test/support/sums-of-rows.js";

interface Row {
  readonly id: string;
  readonly prompt: string;
  readonly metric: string;
  readonly score: number | null;
  readonly rating: number | null;
}

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[]) {
  const isKnown = ({ score, rating }: Row) => score !== null && rating !== null;
  const keys = ({ metric, prompt }: Row) => ({ of_metric: metric, of_group: prompt || "(empty)" });
  const levels = (some: readonly Row[], of: "score" | "rating") =>
    new Set(some.filter(isKnown).map((row) => row[of])).size;
  const cells = counted(rows, keys, (row) => ({ scored: Number(isKnown(row)) })).map((cell) => {
    const its = rows.filter((row) => JSON.stringify(keys(row)) === JSON.stringify(keysOf(cell)));
    const distinct = { score_levels: levels(its, "score"), rating_levels: levels(its, "rating") };
    return { part: "cells", ...cell, ...distinct };
  });
  const met = rows.flatMap((one) =>
    rows.flatMap((two) =>
      JSON.stringify(keys(one)) === JSON.stringify(keys(two)) &&
      one.id < two.id &&
      [one, two].every(isKnown)
        ? [{ one, two }]
        : [],
    ),
  );
  const pairs = counted(
    met,
    ({ one }) => ({ part: "pairs", ...keys(one) }),
    ({ one, two }) => {
      const by = Math.sign((one.score ?? 0) - (two.score ?? 0));
      const to = Math.sign((one.rating ?? 0) - (two.rating ?? 0));
      return {
        same_order: Number(by * to > 0),
        other_order: Number(by * to < 0),
        tied_scores: Number(by === 0),
        tied_ratings: Number(to === 0),
      };
    },
  );
  const items = counted(
    [...new Set(rows.map(({ id }) => id))].map((id) => rows.filter((row) => row.id === id)),
    (its) => ({
      part: "items",
      of_group: its[0]?.prompt || "(empty)",
      rated: its[0]?.rating === null ? 0 : 1,
      scored_by: its.filter(({ score }) => score !== null).length,
      unlike: 0,
    }),
  );
  const all = [...cells, ...pairs, ...items];
  return csvOf(
    all.map((row) => ({ touchstone_sums: "correlation", ...row })),
    ["same_order", "other_order", "tied_scores", "tied_ratings", "repeats", "inexact"],
  );
}

const keysOf = ({ of_metric, of_group }: Readonly<Record<string, unknown>>) => ({
  of_metric,
  of_group,
});

const rowsOf = fc
  .array(
    fc.record({
      prompt: fc.constantFrom("", "a cat", "a dog", "a hat"),
      rating: fc.constantFrom(null, 1, 2, 3, 4),
      scores: fc.array(fc.constantFrom(null, 0.1, 0.3, 0.7, 0.8), { minLength: 2, maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 24 },
  )
  .map((items) => {
    const known = [
      { prompt: "a cat", rating: 1, scores: [0.1, 0.2] },
      { prompt: "a cat", rating: 2, scores: [0.3, 0.9] },
    ];
    return [...known, ...items].flatMap(({ prompt, rating, scores }, at) =>
      scores.map(
        (score, which): Row => ({ id: `i${at}`, prompt, metric: `m${which}`, score, rating }),
      ),
    );
  });
const asked = { human: "rating", group: "prompt" };

test("counts of pairs give tau within prompts the bytes of the rows", async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      fc.constantFrom({}, { average: "mean" }, { weight: "n" }, { undefined: "zero" }),
      async (rows, options) => {
        const [found, summed] = await Promise.all(
          [csvOf(rows), sums(rows)].map((text) =>
            figures("correlation", text, { ...asked, ...options }),
          ),
        );
        expect(tausWithin(JSON.parse(summed ?? ""))).toBe(tausWithin(JSON.parse(found ?? "")));
      },
    ),
    { numRuns: 25 },
  );
});

test("counts of pairs say what they can't tell, and are refused where rows are left out", async () => {
  const rows = [1, 2, 3].map((rating): Row => {
    return { id: `i${rating}`, prompt: "a cat", metric: "m", score: rating, rating };
  });
  const text = sums(rows);
  const { metrics } = JSON.parse(await figures("correlation", text, asked));
  expect(metrics.score.kendallTauB).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "needs all rows: the table holds counts of pairs within prompts",
  });
  expect(metrics.score.grouped.each["a cat"]).toMatchObject({ kendallTauB: 1, spearman: null });
  expect(await figures("correlation", text, { human: "rating" })).toContain(
    "Expected --group prompt for table.csv, which counts pairs within prompts",
  );
  expect(await figures("correlation", text, { ...asked, group: "model" })).toContain(
    "Expected --group prompt for a table of sums of correlation but received model",
  );
  const lines = text.split("\n");
  expect(
    await figures("correlation", lines.filter((line) => !line.includes("pairs")).join("\n"), asked),
  ).toContain("Expected the whole answer of the query for correlation");
  const alone = { id: "i4", prompt: "a dog", metric: "m", score: 1, rating: 1 };
  const ofTwo = sums([...rows, alone]).split("\n");
  for (const part of ["cells", "items"]) {
    const fewer = ofTwo.filter((line) => !(line.includes(part) && line.includes("a dog")));
    expect(fewer).toHaveLength(ofTwo.length - 1);
    expect(await figures("correlation", fewer.join("\n"), asked)).toContain(
      "Expected the whole answer of the query for correlation",
    );
  }
  const unlike = text.replace(/^(.*items.*),0(,*)$/m, "$1,1$2");
  expect(await figures("correlation", unlike, asked)).toContain("Expected one rating of each id");
  const unnamed = { touchstone_sums: "correlation", part: "unnamed", row_count: 2 };
  const columns = lines[0]?.split(",") ?? [];
  expect(await figures("correlation", csvOf([unnamed], columns), asked)).toContain(
    "Expected id and metric in each row but table.csv sums 2 rows without them",
  );
});
