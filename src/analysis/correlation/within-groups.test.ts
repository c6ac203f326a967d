import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correlation, correlationComparison } from "./correlation.js";
import type { CorrelationRow } from "./correlation-row.js";
import type { GroupingOptions } from "./grouping.js";
import reference from "./within-groups-reference.json" with { type: "json" };

const table = (rows: readonly (readonly [string, number | null, number | null])[]) => ({
  human: "human",
  metrics: ["m"],
  rows: rows.map(
    ([group, score, human], at): CorrelationRow => ({ id: `${at}`, group, human, scores: [score] }),
  ),
});
type Rows = Parameters<typeof table>[0];
const within = (
  rows: Rows,
  grouping: GroupingOptions,
  more: Parameters<typeof correlation>[1] = { resamples: 100 },
) => {
  const found = correlation(table(rows), { ...more, grouping });
  const { grouped } = found.metrics.m ?? {};
  if (grouped === undefined) throw new RangeError("Expected groups");
  return { ...found, m: grouped };
};

describe.each(reference.cases)("$groups groups with a coefficient", (each) => {
  // Triples, as the file holds them.
  const rows = each.rows as unknown as Rows;

  test.each([
    ["fisher", {}],
    ["mean", { average: "mean" }],
    ["fisherByRows", { weight: "n" }],
    ["meanByRows", { average: "mean", weight: "n" }],
    ["fisherWithZeros", { undefinedGroups: "zero" }],
  ] as const)("are averaged as SciPy and NumPy do: %s", (name, grouping) => {
    const { m } = within(rows, grouping);
    expect(m).toMatchObject({ groups: each.groups, undefined: each.undefined });
    for (const measure of ["spearman", "kendallTauB", "pearson"] as const) {
      expect(m[measure].value).toBeCloseTo(each.expected[measure][name], 12);
    }
  });

  test.each([
    ["fisherDelta", {}],
    ["meanByRowsDelta", { average: "mean", weight: "n" }],
  ] as const)("have an interval by the delta method over groups: %s", (name, grouping) => {
    const { m } = within(rows, grouping, { interval: "delta" });
    for (const measure of ["spearman", "kendallTauB", "pearson"] as const) {
      const [low = 2, high = 2] = each.expected[measure][name];
      expect(m[measure].low).toBeCloseTo(low, 12);
      expect(m[measure].high).toBeCloseTo(high, 12);
    }
  });

  test("have an interval from draws of whole groups", () => {
    const { m, grouped } = within(rows, {}, { resamples: 20_000 });
    expect(grouped?.intervals).toMatchObject({ clusteredBy: "group", clusters: each.groups });
    for (const measure of ["spearman", "kendallTauB", "pearson"] as const) {
      const [low = 2, high = 2] = each.expected[measure].fisherBootstrap;
      expect(Math.abs((m[measure].low ?? 9) - low)).toBeLessThan(0.012);
      expect(Math.abs((m[measure].high ?? 9) - high)).toBeLessThan(0.012);
    }
  });
});

/** Five rows of a group in which the metric follows people exactly, or in the opposite order. */
const follows = (group: string, sign = 1, level = 0): Rows =>
  [1, 2, 3, 4, 5].map((at) => [group, at * sign + level, at + level] as const);
const flat: Rows = [1, 2, 3].map((at) => ["flat", 7, at] as const);

test("coefficients of 1 are clipped for Fisher's z, counted and said", () => {
  const { m, warnings } = within([...follows("a"), ...follows("b")], {});
  expect(m.spearman.value).toBeCloseTo(0.999999, 12);
  expect(m.clipped).toMatchObject({ spearman: 2, kendallTauB: 2, pearson: 2, kendallTauC: 2 });
  expect(m.clipped.pairwiseAccuracy).toBe(0);
  expect(m.pairwiseAccuracy.value).toBe(1);
  expect(warnings.join()).toContain("m: 2 of 2 groups have a coefficient of 1 or -1, clipped");
  const plain = within([...follows("a"), ...follows("b")], { average: "mean" });
  expect(plain.m.clipped.spearman).toBe(0);
  expect(plain.m.spearman.value).toBeCloseTo(1, 12);
});

test("a group without a coefficient is left out or counts 0, one without any score is left out", () => {
  const rows: Rows = [...follows("a"), ...follows("b", -1), ...follows("c"), ...flat];
  const mean = { average: "mean" } as const;
  expect(within(rows, mean).m).toMatchObject({ groups: 3, undefined: 1 });
  expect(within(rows, mean).m.spearman.value).toBeCloseTo(1 / 3, 12);
  const zero = within(rows, { ...mean, undefinedGroups: "zero" });
  expect(zero.m).toMatchObject({ groups: 3, undefined: 1 });
  expect(zero.m.spearman.value).toBeCloseTo(1 / 4, 12);
  // Where all are rated alike no pair is in order: that counts as a coin.
  expect(zero.m.pairwiseAccuracy.value).toBeCloseTo((1 + 0 + 1 + 0.5) / 4, 12);
  expect(zero.warnings.join()).toContain("1 of 4 groups has no coefficient");
  const silent: Rows = [...rows, ["silent", null, 1], ["silent", null, 2]];
  const unscored = within(silent, { ...mean, undefinedGroups: "zero" });
  expect(unscored.m).toMatchObject({ groups: 3, undefined: 2 });
  expect(unscored.m.spearman.value).toBeCloseTo(1 / 4, 12);
  expect(unscored.m.each.silent).toEqual({
    n: 0,
    spearman: null,
    kendallTauB: null,
    pearson: null,
    kendallTauC: null,
    pairwiseAccuracy: null,
  });
});

test("one group has a value but no interval, and none has a reason", () => {
  expect(within(follows("a"), { average: "mean" }).m.kendallTauB).toEqual({
    value: expect.closeTo(1, 12),
    low: null,
    high: null,
    reason: "no interval from one group",
  });
  const { m } = within(flat, {});
  expect(m).toMatchObject({ groups: 0, undefined: 1 });
  expect(m.spearman).toMatchObject({ value: null, reason: "no group has a coefficient" });
});

test("where groups differ in level, a warning sets pooled beside within", () => {
  // Within each group the metric runs against people; groups of a higher level have more of both.
  const rows = [0, 10, 20, 30].flatMap((level) => follows(`level ${level}`, -1, level));
  const found = within(rows, {});
  expect(found.metrics.m?.spearman.value).toBeGreaterThan(0.5);
  expect(found.m.spearman.value).toBeLessThan(-0.9);
  expect(found.warnings.join()).toContain(
    "pooled and within-group figures disagree for m (Spearman 0.",
  );
  const alike = within([...follows("a"), ...follows("b")], {});
  expect(alike.warnings.join()).not.toContain("disagree");
});

test("two metrics are compared over the groups that both have", () => {
  const groups = ["a", "b", "c", "d", "e", "f"];
  const rows = groups.flatMap((group, which) =>
    [1, 2, 3, 4].map((at): CorrelationRow => {
      const one = at === 4 ? which % 3 : at;
      return { id: `${group}${at}`, group, human: at, scores: [one, group === "a" ? null : -at] };
    }),
  );
  const { conclusion, differenceWithin } = correlationComparison(
    { human: "human", metrics: ["one", "other"], rows },
    { resamples: 200, grouping: { average: "mean" } },
  );
  const { one } = conclusion.metrics;
  const five = groups.slice(1).map((group) => one?.grouped?.each[group]?.pearson ?? 0);
  const difference = differenceWithin?.({ metric: "one", than: "other", measure: "pearson" });
  expect(difference?.value).toBeCloseTo(five.reduce((sum, r) => sum + r, 0) / 5 + 1, 12);
  expect(difference?.low).toBeGreaterThan(0);
});

test("an average lies among its groups' coefficients, within its interval; no order of rows matters", () => {
  const row = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.nat(6), fc.nat(6));
  const options = fc.record({
    average: fc.constantFrom("fisher", "mean"),
    weight: fc.constantFrom("equal", "n"),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 4, maxLength: 40 }), options, (rows, grouping) => {
      const { m } = within(rows, grouping);
      for (const measure of ["spearman", "kendallTauB", "pearson"] as const) {
        const { value, low, high } = m[measure];
        if (value === null) continue;
        const each = Object.values(m.each).flatMap((group) => group[measure] ?? []);
        expect(value).toBeGreaterThanOrEqual(Math.min(...each) - 2e-6);
        expect(value).toBeLessThanOrEqual(Math.max(...each) + 2e-6);
        if (low !== null && high !== null) expect(low).toBeLessThanOrEqual(high);
      }
      const turned = within([...rows].reverse(), grouping).m;
      expect(turned.spearman.value ?? 0).toBeCloseTo(m.spearman.value ?? 0, 12);
      expect(turned.spearman.low ?? 0).toBeCloseTo(m.spearman.low ?? 0, 9);
    }),
    { numRuns: 40 },
  );
});
