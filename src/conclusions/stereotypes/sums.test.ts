import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures } from "../../../test/support/sums-of-rows.js";
import { groupBy } from "../../core/arrays.js";

interface Row {
  readonly query: string;
  readonly category: string;
  readonly model: string;
  readonly phase: "initial" | "refined";
  readonly imageSet: string;
  readonly item: string;
  readonly present: 0 | 1 | null;
}

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[], more: readonly object[] = []) {
  const mark = "stereotypes";
  const bySet = groupBy(rows, (row) =>
    JSON.stringify([row.category, row.query, row.model, row.imageSet]),
  );
  const sets = [...bySet.values()].map((its) => {
    const of = (phase: Row["phase"]) =>
      its.filter((row) => row.phase === phase && row.present !== null);
    const [initial, refined] = [of("initial"), of("refined")];
    const flags = (some: readonly Row[]) => some.reduce((sum, row) => sum + (row.present ?? 0), 0);
    const items = (some: readonly Row[]) => JSON.stringify(some.map(({ item }) => item).sort());
    return {
      its: [...initial, ...refined],
      isComplete: initial.length > 0 && refined.length > 0,
      cell: {
        touchstone_sums: mark,
        part: "sets",
        of_category: its[0].category,
        of_query: its[0].query,
        of_model: its[0].model,
        initial_answers: initial.length,
        initial_flags: flags(initial),
        refined_answers: refined.length,
        refined_flags: flags(refined),
        is_uneven: Number(items(initial) !== items(refined)),
      },
    };
  });
  const complete = sets.flatMap(({ its, isComplete }) => (isComplete ? its : []));
  return csvOf(
    [
      ...counted(
        rows,
        ({ category, model, phase }) => ({
          touchstone_sums: mark,
          part: "answers",
          of_category: category,
          of_model: model,
          of_phase: phase,
        }),
        ({ present }) => ({ answered: Number(present !== null) }),
      ),
      ...counted(sets, ({ cell }) => cell),
      ...counted(
        complete,
        ({ category, item }) => ({
          touchstone_sums: mark,
          part: "items",
          of_category: category,
          of_item: item,
        }),
        ({ phase, present }) => ({
          initial_answers: Number(phase === "initial"),
          initial_flags: phase === "initial" ? (present ?? 0) : 0,
          refined_answers: Number(phase === "refined"),
          refined_flags: phase === "refined" ? (present ?? 0) : 0,
        }),
      ),
      ...more,
    ],
    ["of_set", "present", "repeats", "inexact"],
  );
}

const [queries, models, sets, items] = [
  ["q1", "q2", "q3"],
  ["a", "b"],
  ["1", "2", "3"],
  ["age", "dress", "home"],
];
const present = fc.constantFrom(0 as const, 1 as const, 1 as const, null);
const tables = fc.array(present, { minLength: 108, maxLength: 108 }).map((answers) => {
  let at = 0;
  return queries.flatMap((query) =>
    models.flatMap((model) =>
      sets.flatMap((imageSet) =>
        (["initial", "refined"] as const).flatMap((phase) =>
          items.map(
            (item): Row => ({
              query,
              category: query === "q3" ? "work" : "home",
              model,
              phase,
              imageSet,
              item,
              present: query === "q1" && model === "a" ? 1 : (answers[at++] ?? null),
            }),
          ),
        ),
      ),
    ),
  );
});

test("sums of a rubric's answers give their figures and intervals, byte by byte", async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const found = await figures("stereotypes", csvOf(rows));
      expect(found).toMatch(/^\{/);
      expect(await figures("stereotypes", sums(rows))).toBe(found);
    }),
    { numRuns: 25 },
  );
});

test("what a row lacks, and what is no answer, is refused by its column", async () => {
  const row: Row = {
    query: "q1",
    category: "home",
    model: "a",
    phase: "initial",
    imageSet: "1",
    item: "age",
    present: 1,
  };
  const rows = [row, { ...row, phase: "refined" as const }];
  const own = { touchstone_sums: "stereotypes", row_count: 2 };
  const named = { of_category: "home", of_query: "q1", of_model: "a", of_phase: "initial" };
  const unnamed = { ...own, part: "unnamed", ...named, of_item: "age" };
  expect(await figures("stereotypes", sums(rows, [unnamed]))).toContain(
    "Expected imageSet in each row but table.csv sums 2 rows without it",
  );
  expect(
    await figures("stereotypes", sums(rows, [{ ...own, part: "unread", present: "7" }])),
  ).toContain('Expected 0, 1 or nothing for present but received "7"');
  expect(
    await figures("stereotypes", sums(rows, [{ ...own, part: "names", repeats: 2 }])),
  ).toContain("but 2 rows of table.csv repeated another's");
  expect(await figures("stereotypes", sums(rows), { experts: "anna" })).toContain(
    "Expected no --experts for a table of sums of stereotypes",
  );
});
