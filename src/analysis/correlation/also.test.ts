import { describe, expect, test } from "vitest";
import type { Also } from "./also.js";
import reference from "./also-reference.json" with { type: "json" };
import { type CorrelationOptions, correlation } from "./correlation.js";
import type { CorrelationRow } from "./correlation-row.js";

const { x, x2, y, z, w, expected } = reference;

const rows: readonly CorrelationRow[] = y.map((human, at) => ({
  id: `${at}`,
  group: at % 2 === 0 ? "even" : "odd",
  human,
  scores: [x[at] ?? 0, x2[at] ?? 0],
  controls: [z[at] ?? 0, w[at] ?? 0],
}));
const all: Also = { icc: true, plcc: true, williams: true, partial: ["z", "w"] };

const concluded = (of: readonly CorrelationRow[], also: Also, options: CorrelationOptions = {}) =>
  correlation(
    { human: "rating", metrics: ["x", "x2"], rows: of },
    { resamples: 200, also, ...options },
  );

describe("coefficients that papers print", () => {
  const { metrics, williams, given } = concluded(rows, all);

  test.each([
    ["partialPearson", 12],
    ["partialSpearman", 12],
    ["iccAbsolute", 12],
    ["iccConsistency", 12],
    // Two optimisers end a little apart.
    ["plcc", 6],
  ] as const)("%s is that of other programs, within an interval", (measure, digits) => {
    const { value, low, high } = metrics.x?.[measure] ?? {};
    expect(value).toBeCloseTo(expected[measure], digits);
    expect(low).toBeLessThan(expected[measure] + 1e-6);
    expect(high).toBeGreaterThan(expected[measure] - 1e-6);
  });

  test("Williams' test is that of its formula, and names what was held constant", () => {
    const [only, ...others] = williams ?? [];
    expect(others).toEqual([]);
    expect(only).toMatchObject({ a: "x", b: "x2", n: 40, df: 37 });
    expect(only?.t).toBeCloseTo(expected.williams.t, 10);
    expect(only?.p).toBeCloseTo(expected.williams.p, 12);
    expect(given).toEqual(["z", "w"]);
  });
});

test("what was not asked for is not there", () => {
  const { metrics, ...conclusion } = concluded(rows, {});
  expect(conclusion).not.toHaveProperty("williams");
  expect(metrics.x).not.toHaveProperty("plcc");
});

test("a row without a value to hold constant is left out of partial correlations alone", () => {
  const lacking = rows.map((row, at) => (at < 3 ? { ...row, controls: [null, 1] } : row));
  const { metrics } = concluded(lacking, all);
  const fewer = concluded(rows.slice(3), all).metrics;
  expect(metrics.x?.partialPearson?.value).toBeCloseTo(fewer.x?.partialPearson?.value ?? 9, 12);
  expect(metrics.x?.iccAbsolute?.value).toBeCloseTo(expected.iccAbsolute, 12);
});

test("within groups they are averaged, as the usual ones are", () => {
  const { metrics } = concluded(rows, all, { grouping: { average: "mean" } });
  const of = (group: string) =>
    concluded(
      rows.filter((row) => row.group === group),
      all,
    ).metrics.x;
  const mean = ((of("even")?.plcc?.value ?? 9) + (of("odd")?.plcc?.value ?? 9)) / 2;
  expect(metrics.x?.grouped?.plcc?.value).toBeCloseTo(mean, 9);
  const tau = ((of("even")?.kendallTauC.value ?? 9) + (of("odd")?.kendallTauC.value ?? 9)) / 2;
  expect(metrics.x?.grouped?.kendallTauC.value).toBeCloseTo(tau, 9);
});

test("a control that explains the score whole leaves nothing to correlate", () => {
  const whole = rows.map((row) => ({ ...row, controls: [2 * (row.scores[0] ?? 0) + 1] }));
  const { partialPearson } = concluded(whole, { partial: ["same"] }).metrics.x ?? {};
  expect(partialPearson).toMatchObject({ value: null, low: null, high: null });
});

test("three rows fit no logistic function", () => {
  const { plcc } = concluded(rows.slice(0, 3), { plcc: true }).metrics.x ?? {};
  expect(plcc?.value).toBeNull();
});

test("within groups they count by rows, and undefined groups as zero, where that is asked", () => {
  const uneven = rows.map((row, at) => ({
    ...row,
    group: at < 3 ? "few" : at < 13 ? "some" : "many",
  }));
  const plcc = (group: string) =>
    concluded(
      uneven.filter((row) => row.group === group),
      all,
    ).metrics.x?.plcc?.value ?? 9;
  const within = (grouping: CorrelationOptions["grouping"]) =>
    concluded(uneven, all, { grouping }).metrics.x?.grouped?.plcc?.value;
  const sum = 10 * plcc("some") + 27 * plcc("many");
  // Three rows fit no logistic function.
  expect(within({ average: "mean", weight: "n" })).toBeCloseTo(sum / 37, 9);
  const zero = { average: "mean", weight: "n", undefinedGroups: "zero" } as const;
  expect(within(zero)).toBeCloseTo(sum / 40, 9);
});
