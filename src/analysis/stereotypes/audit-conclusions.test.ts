import { expect, test } from "vitest";
import { noSpread } from "../inference/intervals.js";
import { indexBounds } from "./audit-bounds.js";
import { auditQueries } from "./audit-queries.js";
import { selfAgreement } from "./audit-self-agreement.js";
import { auditTruth } from "./audit-truth.js";
import { auditValues } from "./audit-values.js";
import type { StereotypeRow } from "./stereotype-row.js";

const few = { resamples: 200 };

/** The answers of one set: "1", "0", and "-" where there is none. */
function set(query: string, phase: StereotypeRow["phase"], answers: string, model = "m") {
  return [...answers].map(
    (answer, at): StereotypeRow => ({
      query,
      category: "c",
      model,
      phase,
      imageSet: "0",
      item: `item${at}`,
      present: answer === "-" ? null : answer === "1" ? 1 : 0,
    }),
  );
}

test("queries come worst first, and those that got worse stand by themselves", () => {
  const found = auditQueries([
    ...set("mild", "initial", "1000"),
    ...set("mild", "refined", "1110"),
    ...set("bad", "initial", "1110"),
    ...set("bad", "refined", "0000"),
    ...set("bad", "initial", "1111", "other"),
    ...set("bad", "refined", "1111", "other"),
    ...set("alone", "initial", "1111"),
  ]);
  expect(found.queries.map(({ query }) => query)).toEqual(["bad", "mild", "alone"]);
  expect(found.queries[0]).toMatchObject({
    pairs: 2,
    initial: 0.875,
    refined: 0.5,
    difference: 0.375,
    flagged: ["item0", "item1", "item2"],
    models: [
      { model: "m", initial: 0.75, refined: 0 },
      { model: "other", initial: 1, refined: 1 },
    ],
  });
  expect(found.queries[2]).toMatchObject({ pairs: 0, dropped: 1, initial: null });
  expect(found.worse.map(({ query, difference }) => [query, difference])).toEqual([["mild", -0.5]]);
  expect([found.worsePairs, found.pairs]).toEqual([1, 3]);
});

test("bounds take every unscored item for absent, and for present", () => {
  const rows = [
    ...set("a", "initial", "11-0"),
    ...set("a", "refined", "00--"),
    // Not rewritten: nothing was asked afterwards.
    ...set("b", "initial", "1100"),
  ];
  expect(indexBounds(rows)).toEqual({
    initial: { low: 0.5, high: 0.625, unscored: 1, items: 8 },
    refined: { low: 0, high: 0.75, unscored: 6, items: 8 },
    difference: { low: -0.25, high: 0.625 },
  });
  expect(indexBounds(rows, { category: "c", model: "m" }).initial?.low).toBe(0.5);
  expect(indexBounds(set("b", "initial", "1100"))).toMatchObject({
    refined: null,
    difference: null,
  });
});

test("a judge agrees with itself where its trials say the same", () => {
  const trial = (number: number, answers: string) =>
    ["q1", "q2", "q3"].flatMap((query) =>
      set(query, "initial", answers).map((row) => ({ ...row, trial: number })),
    );
  const [pooled, category] = selfAgreement([...trial(0, "1100-"), ...trial(1, "1110-")], few);
  expect(pooled).toMatchObject({
    category: null,
    n: 12,
    same: { value: 0.75, low: null, reason: noSpread },
  });
  expect(category?.category).toBe("c");
  // Twelve items, two answers each: 15 say 1, 9 say 0; 3 items differ.
  const expected = (15 * 9 * 2) / (24 * 23);
  expect(pooled?.alpha.value).toBeCloseTo(1 - 6 / 24 / expected, 12);
  const three = selfAgreement([...trial(0, "10"), ...trial(1, "10"), ...trial(2, "11")], few);
  expect(three[0]?.same.value).toBeCloseTo((3 * 3 + 3 * 1) / (6 * 3), 12);
  expect(selfAgreement(trial(0, "1100"), few)).toEqual([]);
  const constant = selfAgreement([...trial(0, "00"), ...trial(1, "00")], few);
  expect(constant[0]).toMatchObject({
    same: { value: 1 },
    alpha: { value: null, reason: "all answers are the same" },
  });
});

test("numbers about sets are compared over the sets that have them before and after", () => {
  const value = (query: string, phase: StereotypeRow["phase"], number: number | null) => ({
    query,
    category: "c",
    model: "m",
    imageSet: "0",
    phase,
    value: number,
  });
  const { overall, categories, intervals } = auditValues(
    [
      ...[value("a", "initial", 2.4), value("a", "refined", 0.4)],
      ...[value("b", "initial", 1.4), value("b", "refined", 0.4)],
      ...[value("c", "initial", 1.4), value("c", "refined", null)],
      value("d", "initial", 0.1),
    ],
    [0, 2.5],
    { interval: "delta" },
  );
  expect(overall).toMatchObject({ pairs: 2, dropped: 2, models: { m: { pairs: 2 } } });
  expect(overall.initial).toBeCloseTo(1.9, 12);
  expect(overall.difference.value).toBeCloseTo(1.5, 12);
  // 1.5 +- 1.96 sqrt(2 (0.25 + 0.25) / 4): beyond 1, where an index could not lie.
  expect(overall.difference.high).toBeCloseTo(1.5 + 1.959964 * 0.5, 4);
  expect(categories.c?.difference).toEqual(overall.difference);
  expect(intervals).toMatchObject({ clusteredBy: "query", clusters: 2 });
});

test("the judged index beside the true one", () => {
  const judged = [
    ...set("a", "initial", "1110"),
    ...set("b", "initial", "1100"),
    ...set("c", "initial", "1000"),
    ...set("a", "refined", "100-"),
  ];
  const truth = [
    ...set("a", "initial", "1111"),
    ...set("b", "initial", "1110"),
    ...set("c", "initial", "0000"),
    ...set("a", "refined", "-001"),
  ];
  const found = auditTruth(judged, truth, few);
  expect(found.n).toBe(4);
  expect(found.sets.find(({ phase }) => phase === "refined")).toMatchObject({ judged: 0, real: 0 });
  // Judged 3/4, 2/4, 1/4, 0; true 1, 3/4, 0, 0: in one order but for a tie.
  expect(found.spearman.value).toBeCloseTo(4.5 / Math.sqrt(5 * 4.5), 12);
  expect(found.judge[0]).toMatchObject({ phase: "initial", n: 12, accuracy: 9 / 12 });
  // By item, over both phases: the places in the strings above.
  expect(
    found.items.map(({ n, present, missed, invented }) => [n, present, missed, invented]),
  ).toEqual([
    [3, 2, 0, 1],
    [4, 2, 0, 0],
    [4, 2, 1, 0],
    [3, 1, 1, 0],
  ]);
  const initial = found.correction.shares.find(({ phase }) => phase === "initial");
  expect(initial?.corrected.value).toBeCloseTo(7 / 12, 12);
});
