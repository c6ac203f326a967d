import { expect, test } from "vitest";
import { numberLists } from "../../core/number-lists.js";
import { randomFrom } from "../../core/random.js";
import { correlation, correlationComparison } from "./correlation.js";
import { columnsOf } from "./correlation-row.js";
import { ratersCeiling } from "./raters-ceiling.js";

const random = randomFrom(0, "metric differences");
/** What is true, three raters of it, a close metric, a loose one, and one that scored some rows alone. */
const items = Array.from({ length: 60 }, (_, at) => {
  const truth = random.next();
  const near = (spread: number) => truth + spread * (random.next() - 0.5);
  return {
    id: String(at).padStart(2, "0"),
    raters: [near(0.4), near(0.4), near(0.8)],
    scores: [near(0.5), near(2), at % 3 === 0 ? null : near(1)],
  };
});
const metrics = ["close", "loose", "some"];
const table = {
  human: "rating",
  metrics,
  rows: items.map(({ id, raters, scores }) => ({
    id,
    human: raters.reduce((sum, value) => sum + value, 0) / raters.length,
    scores,
  })),
};

test.each(["percentile", "delta", "t"] as const)(
  "every two metrics are compared on the rows that all have (%s)",
  (interval) => {
    const differences = correlationComparison(table, { interval }).differences();
    expect(differences.map(({ a, b, n }) => [a, b, n])).toEqual([
      ["close", "loose", 40],
      ["close", "some", 40],
      ["loose", "some", 40],
    ]);
    const shared = table.rows.filter(({ scores }) => !scores.includes(null));
    const alone = correlation({ ...table, rows: shared }, { interval }).metrics;
    for (const { a, b, kendallTauB, pairwiseAccuracy, p, pAdjusted } of differences) {
      const gap = (measure: "kendallTauB" | "pairwiseAccuracy") =>
        (alone[a]?.[measure].value ?? 0) - (alone[b]?.[measure].value ?? 0);
      expect(kendallTauB.value).toBeCloseTo(gap("kendallTauB"), 12);
      expect(pairwiseAccuracy.value).toBeCloseTo(gap("pairwiseAccuracy"), 12);
      // The test and the interval are of one method.
      const isApart = (kendallTauB.low ?? 0) > 0 || (kendallTauB.high ?? 0) < 0;
      if (isApart) expect(p).toBeLessThan(0.051);
      else expect(p).toBeGreaterThan(0.049);
      expect(pAdjusted).toBeGreaterThanOrEqual(p ?? 1);
    }
  },
);

test("equal metrics differ in nothing that could be tested, and one that does not vary has no difference", () => {
  const rows = table.rows.map(({ scores: [close = null], ...row }) => ({
    ...row,
    scores: [close, close, 1],
  }));
  const [same, constant] = correlationComparison({ ...table, rows }).differences();
  expect(same).toMatchObject({ kendallTauB: { value: 0, low: null }, p: null, pAdjusted: null });
  expect(constant).toMatchObject({ kendallTauB: { value: null }, p: null, pAdjusted: null });
});

test.each(["percentile", "delta"] as const)(
  "the ceiling is how far one rater follows the others (%s)",
  (interval) => {
    const { columns } = columnsOf(table);
    const lists = numberLists(items.map(({ raters }) => raters));
    const found = ratersCeiling(columns, lists, { interval });
    const each = [0, 1, 2].map((rater) => {
      const rows = items.map(({ id, raters }) => {
        const others = raters.filter((_, at) => at !== rater);
        return {
          id,
          human: others.reduce((sum, value) => sum + value, 0) / 2,
          scores: [raters[rater] ?? null],
        };
      });
      return correlation({ human: "others", metrics: ["one"], rows }).metrics.one?.kendallTauB;
    });
    const mean = each.reduce((sum, one) => sum + (one?.value ?? 0), 0) / 3;
    expect(found?.value).toBeCloseTo(mean, 12);
    expect(found).toMatchObject({ n: 60, raters: 3 });
    // No wider than the widest of the three, and about it.
    const width = (one: { low: number | null; high: number | null } | undefined) =>
      (one?.high ?? 0) - (one?.low ?? 0);
    expect(width(found)).toBeLessThan(1.1 * Math.max(...each.map(width)));
    expect(width(found)).toBeGreaterThan(0.3 * Math.max(...each.map(width)));
  },
);

test("without a second rating there is no ceiling; what nobody gave is no rating", () => {
  const { columns } = columnsOf(table);
  expect(ratersCeiling(columns, numberLists(items.map(() => [1, null])))).toBeUndefined();
  const some = items.map(({ raters }, at) => (at < 10 ? raters : [1]));
  expect(ratersCeiling(columns, numberLists(some))?.n).toBe(10);
});
