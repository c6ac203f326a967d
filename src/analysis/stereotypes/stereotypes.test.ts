import { expect, test } from "vitest";
import type { StereotypeRow } from "./stereotype-row.js";
import { stereotypes } from "./stereotypes.js";
import reference from "./stereotypes-reference.json" with { type: "json" };

/** The answers of one set: "1", "0", and "-" where there is none. */
function setRows(
  category: string,
  query: string,
  model: string,
  phase: "initial" | "refined",
  answers: string,
  imageSet = "s0",
): StereotypeRow[] {
  return [...answers].map((answer, at) => ({
    category,
    query,
    model,
    phase,
    imageSet,
    item: `item${at}`,
    present: answer === "-" ? null : answer === "1" ? 1 : 0,
  }));
}

const rows = reference.sets.flatMap(
  ([category = "", query = "", model = "", phase, set, answers]) =>
    setRows(
      category,
      query,
      model,
      phase === "initial" ? "initial" : "refined",
      answers ?? "",
      set,
    ),
);
const few = { resamples: 100 };

test("agrees with an independent program", () => {
  const { categories, n, unscored } = stereotypes(rows, few);
  expect(Object.keys(categories)).toEqual(Object.keys(reference.expected));
  for (const [name, expected] of Object.entries(reference.expected)) {
    const found = categories[name];
    const { initial, refined, models, ...ofTest } = expected;
    expect(found?.initial).toBeCloseTo(initial, 12);
    expect(found?.refined).toBeCloseTo(refined, 12);
    for (const [model, means] of Object.entries(models)) {
      expect(found?.models[model]?.initial).toBeCloseTo(means.initial, 12);
      expect(found?.models[model]?.refined).toBeCloseTo(means.refined, 12);
    }
    expect(Object.keys(found?.test ?? {}).sort()).toEqual(Object.keys(ofTest).sort());
    const { p, ...others } = ofTest;
    expect((found?.test.p ?? 0) / p).toBeCloseTo(1, 9);
    for (const [key, value] of Object.entries(others)) {
      expect({ ...found?.test }[key], key).toBeCloseTo(value, 10);
    }
  }
  expect(n + unscored).toBe(rows.length);
});

test("shuffled rows change no number", () => {
  const { warnings: _, ...one } = stereotypes(rows, few);
  const { warnings: __, ...other } = stereotypes([...rows].reverse(), few);
  expect(other).toEqual(one);
});

test("draws whole queries: copies of a query's sets make the interval no narrower", () => {
  const copied = rows.flatMap((row) => [row, { ...row, imageSet: "copy" }]);
  const one = stereotypes(rows, few).overall;
  const two = stereotypes(copied, few).overall;
  expect(two.pairs).toBe(2 * one.pairs);
  expect(two.difference.low).toBeCloseTo(one.difference.low ?? Number.NaN, 12);
  expect(two.difference.high).toBeCloseTo(one.difference.high ?? Number.NaN, 12);
  const width = ({ low, high }: { low: number | null; high: number | null }) =>
    (high ?? Number.NaN) - (low ?? Number.NaN);
  expect(width(two.test)).toBeLessThan(width(one.test));
});

test("a pair without an answer on a side is left out and counted", () => {
  const { overall, categories, unscored, warnings } = stereotypes([
    ...setRows("c", "q1", "m", "initial", "11-0"),
    ...setRows("c", "q1", "m", "refined", "0000"),
    ...setRows("c", "q2", "m", "initial", "1111"),
    ...setRows("c", "q2", "m", "refined", "----"),
    ...setRows("d", "q3", "m", "initial", "1111"),
  ]);
  expect(overall).toMatchObject({ initial: 2 / 3, refined: 0, pairs: 1, dropped: 2 });
  expect(overall.items.item2).toEqual({
    initial: null,
    refined: 0,
    shareInitial: 0,
    shareRefined: null,
  });
  expect(unscored).toBe(5);
  expect(categories.d).toMatchObject({
    initial: null,
    refined: null,
    difference: { value: null, low: null, high: null, reason: "no complete pair" },
    test: { t: null, meanDifference: null, reason: "no complete pair" },
  });
  expect(warnings.join("\n")).toContain("2 of 3 pairs are left out");
  expect(warnings.join("\n")).toContain(
    "in 1 of 1 pairs (a query and a model) other questions were answered after than before",
  );
});

test("differences that are all equal, and a single query, give reasons", () => {
  const { overall } = stereotypes([
    ...setRows("c", "q", "m1", "initial", "110"),
    ...setRows("c", "q", "m1", "refined", "100"),
    ...setRows("c", "q", "m2", "initial", "100"),
    ...setRows("c", "q", "m2", "refined", "000"),
  ]);
  expect(overall.test).toMatchObject({ t: null, p: null, cohensDz: null });
  expect(overall.test.reason).toBe("the differences are all equal");
  expect(overall.test.meanDifference).toBeCloseTo(1 / 3, 12);
  expect(overall.difference).toMatchObject({ low: null, high: null });
  expect(overall.difference.reason).toBe("no interval from one query");
});

test("items have rates, and shares of all flags that add up to 1", () => {
  const { items } = stereotypes(rows, few).overall;
  const sum = Object.values(items).reduce((all, item) => all + (item.shareInitial ?? 0), 0);
  expect(sum).toBeCloseTo(1, 12);
  const { overall } = stereotypes([
    ...setRows("c", "q1", "m", "initial", "11"),
    ...setRows("c", "q2", "m", "initial", "10"),
    ...setRows("c", "q1", "m", "refined", "01"),
    ...setRows("c", "q2", "m", "refined", "00"),
  ]);
  expect(overall.items).toEqual({
    item0: { initial: 1, refined: 0, shareInitial: 2 / 3, shareRefined: 0 },
    item1: { initial: 0.5, refined: 0.5, shareInitial: 1 / 3, shareRefined: 1 },
  });
});

test("a judge is compared with an expert where both answered", () => {
  const experts = [1, 0, 0, null] as const;
  const judged = setRows("c", "q", "m", "initial", "1100").map((row, at) => ({
    ...row,
    expert: experts[at] ?? null,
  }));
  const agreeing = setRows("c", "q", "m", "refined", "00").map((row) => ({
    ...row,
    expert: 0 as const,
  }));
  expect(stereotypes([...judged, ...agreeing]).judge).toEqual([
    {
      category: "c",
      model: "m",
      phase: "initial",
      n: 3,
      accuracy: 2 / 3,
      kappa: expect.closeTo(0.4),
      intervalsOf: {
        accuracy: expect.objectContaining({ value: 2 / 3, reason: "no interval from one query" }),
        kappa: expect.objectContaining({ low: null, high: null }),
      },
    },
    {
      category: "c",
      model: "m",
      phase: "refined",
      n: 2,
      accuracy: 1,
      kappa: null,
      reason: "both gave the same answer throughout",
      intervalsOf: expect.objectContaining({ accuracy: expect.objectContaining({ value: 1 }) }),
    },
  ]);
});

test("of the judge's accuracy and kappa the intervals draw whole queries", () => {
  const about = { category: "c", model: "m", phase: "initial" as const, imageSet: "1" };
  // In each query all answers are right, or all are wrong: forty answers are but eight draws.
  const judged = Array.from({ length: 8 }, (_, query) =>
    [0, 1, 0, 1, 0].map((expert, item) => ({
      ...about,
      query: `q${query}`,
      item: `i${item}`,
      expert: expert as 0 | 1,
      present: (query < 6 ? expert : 1 - expert) as 0 | 1,
    })),
  ).flat();
  const [found] = stereotypes(judged).judge;
  const { value, low, high } = found?.intervalsOf.accuracy ?? {};
  expect(value).toBe(0.75);
  expect(low).toBeLessThanOrEqual(0.5);
  expect(high).toBe(1);
  expect(found?.intervalsOf.kappa.low).toBeLessThan(found?.kappa ?? -1);
});

test("the fall is the share of the initial index that is gone, in the interval's own resamples", () => {
  const { overall } = stereotypes(
    [
      ...setRows("c", "q1", "m", "initial", "1110"),
      ...setRows("c", "q1", "m", "refined", "1000"),
      ...setRows("c", "q2", "m", "initial", "1000"),
      ...setRows("c", "q2", "m", "refined", "0000"),
    ],
    few,
  );
  // Means of 0.5 and 0.125; either query alone falls by 2/3 and by all.
  expect(overall.fall).toMatchObject({ value: 0.75, low: expect.closeTo(2 / 3, 12), high: 1 });
  const none = stereotypes([
    ...setRows("c", "q", "m", "initial", "00"),
    ...setRows("c", "q", "m", "refined", "10"),
  ]);
  expect(none.overall.fall).toMatchObject({ value: null, reason: "the index was 0 before" });
});
