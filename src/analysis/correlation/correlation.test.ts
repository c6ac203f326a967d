import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { noSpread } from "../inference/intervals.js";
import { correlation, correlationComparison } from "./correlation.js";
import { measures } from "./correlation-measures.js";
import type { CorrelationRow } from "./correlation-row.js";

/** Four rows of each of `prompts` prompts; the second metric follows people more closely. */
function sample(prompts = 60): CorrelationRow[] {
  const random = randomFrom(1, "correlation test");
  return Array.from({ length: prompts * 4 }, (_, at) => {
    const human = random.integer(5) + 1;
    const scores = [human + random.between(-6, 6), Math.round(human + random.between(-2, 2))];
    return { id: `${at}`, prompt: `prompt ${at % prompts}`, human, scores };
  });
}
const conclude = (rows: readonly CorrelationRow[], options = {}) =>
  correlation({ human: "rating", metrics: ["a", "b"], rows }, { resamples: 400, ...options });

test("a small table by hand", () => {
  const rows = (
    [
      [1, 1, 5],
      [2, 2, 5],
      [3, 2, null],
      [null, 9, 9],
    ] as const
  ).map(([human, ...scores], at) => ({ id: `${at}`, human, scores }));
  const { metrics, n, unscored, unrated, warnings } = conclude(rows);
  expect({ n, unscored, unrated }).toEqual({ n: 5, unscored: 1, unrated: 1 });
  expect(metrics.a).toMatchObject({ n: 3, unscored: 0 });
  expect(metrics.a?.kendallTauB.value).toBeCloseTo(2 / Math.sqrt(6), 12);
  expect(metrics.a?.pairwiseAccuracy.value).toBeCloseTo(2.5 / 3, 12);
  expect(metrics.b).toMatchObject({ n: 2, unscored: 1 });
  expect(warnings).toContain("b: 1 of 3 rows is unscored and excluded");
  expect(warnings).toContain("1 of 4 rows has no rating and is in nothing");
  expect(warnings.join()).toContain("not all scored on the same rows");
});

test("a constant column is null with a reason, never NaN", () => {
  const rows = sample(5).map((row) => ({ ...row, scores: [0.1, ...row.scores.slice(1)] }));
  const { metrics } = conclude(rows);
  const nothing = { value: null, low: null, high: null };
  const reason = "the metric scored every row the same";
  for (const measure of ["spearman", "kendallTauB", "pearson", "kendallTauC"] as const) {
    expect(metrics.a?.[measure]).toEqual({ ...nothing, reason });
  }
  // Ties of the metric count half, so this one is defined: no better than a coin.
  expect(metrics.a?.pairwiseAccuracy.value).toBe(0.5);
  expect(metrics.a?.p).toEqual({ spearman: null, kendallTauB: null, pearson: null });
  const alike = conclude(rows.map((row) => ({ ...row, human: 3 })));
  for (const measure of measures) {
    expect(alike.metrics.b?.[measure]).toMatchObject({
      ...nothing,
      reason: "people rated every row the same",
    });
  }
  expect(JSON.stringify([metrics, alike])).not.toContain("NaN");
});

test("nothing, one row, one prompt", () => {
  const { metrics } = conclude(sample().map((row) => ({ ...row, scores: [null, 1] })));
  expect(metrics.a?.spearman.reason).toBe("no row has a score and a rating");
  expect(conclude(sample().slice(0, 1)).metrics.a?.pairwiseAccuracy).toMatchObject({
    value: null,
    reason: "only one row has a score and a rating",
  });
  const together = sample().map((row) => ({ ...row, prompt: "the same" }));
  for (const interval of ["percentile", "delta"]) {
    const { spearman } = conclude(together, { interval }).metrics.a ?? {};
    expect(spearman).toMatchObject({ value: expect.any(Number), low: null, high: null });
    expect(spearman?.reason).toMatch(/^no interval from one prompt/);
  }
});

test("the delta method and the bootstrap say much the same", () => {
  const rows = sample(150);
  const drawn = conclude(rows, { resamples: 2000 });
  const delta = conclude(rows, { interval: "delta" });
  expect(delta.intervals.method).toBe("delta");
  for (const metric of ["a", "b"]) {
    for (const measure of measures) {
      const one = drawn.metrics[metric]?.[measure];
      const other = delta.metrics[metric]?.[measure];
      expect(other?.value).toBe(one?.value);
      const width = (one?.high ?? 0) - (one?.low ?? 0);
      expect(width).toBeGreaterThan(0);
      for (const end of ["low", "high"] as const) {
        expect(Math.abs((other?.[end] ?? 9) - (one?.[end] ?? -9)) / width).toBeLessThan(0.12);
      }
    }
  }
});

test("BCa corrects the same draws, and a difference's, too", () => {
  const rows = sample(150);
  const drawn = conclude(rows, { resamples: 1000 });
  const corrected = conclude(rows, { resamples: 1000, interval: "bca" });
  expect(corrected.intervals.text).toContain("95 % BCa bootstrap: 1,000 resamples of 150 prompts");
  for (const metric of ["a", "b"]) {
    for (const measure of measures) {
      const { value, low, high } = corrected.metrics[metric]?.[measure] ?? {};
      const percentile = drawn.metrics[metric]?.[measure];
      expect(value).toBe(percentile?.value);
      expect(low).toBeLessThan(value ?? -9);
      expect(high).toBeGreaterThan(value ?? 9);
      const width = (percentile?.high ?? 0) - (percentile?.low ?? 0);
      expect(Math.abs((low ?? 9) - (percentile?.low ?? -9))).toBeLessThan(width / 3);
    }
  }
  const table = { human: "rating", metrics: ["a", "b"], rows };
  const { difference } = correlationComparison(table, { interval: "bca" });
  const compared = { metric: "b", than: "a", measure: "spearman" } as const;
  expect(difference(compared).low).toBeGreaterThan(0);
  expect(difference({ ...compared, than: "b" })).toMatchObject({
    value: 0,
    low: null,
    reason: "no interval: leaving any one cluster out changes nothing",
  });
});

test("the order of the rows changes nothing", () => {
  const rows = sample(12);
  const order = fc.shuffledSubarray(rows, { minLength: rows.length });
  const expected = conclude(rows, { resamples: 100 }).metrics;
  fc.assert(
    fc.property(order, (shuffled) => {
      const found = conclude(shuffled, { resamples: 100 }).metrics;
      for (const metric of ["a", "b"]) {
        for (const measure of measures) {
          for (const end of ["value", "low", "high"] as const) {
            const one = expected[metric]?.[measure][end] ?? Number.NaN;
            expect(found[metric]?.[measure][end]).toBeCloseTo(one, 9);
          }
        }
      }
    }),
    { numRuns: 10 },
  );
});

test("a difference is that of the rows which both scored, and has the better one's sign", () => {
  const rows = sample().map((row, at) =>
    at < 20 ? { ...row, scores: [null, row.scores[1] ?? null] } : row,
  );
  const both = conclude(rows.slice(20)).metrics;
  const compare = (than: "a" | "b", options = {}) =>
    correlationComparison(
      { human: "rating", metrics: ["a", "b"], rows },
      { resamples: 400, ...options },
    ).difference({ metric: "b", than, measure: "kendallTauB" });
  const found = compare("a");
  const expected = (both.b?.kendallTauB.value ?? 0) - (both.a?.kendallTauB.value ?? 0);
  expect(found.n).toBe(220);
  expect(found.value).toBeCloseTo(expected, 12);
  expect(found.low).toBeGreaterThan(0);
  const delta = compare("a", { interval: "delta" });
  expect(Math.abs((delta.low ?? 0) - (found.low ?? 9))).toBeLessThan(0.03);
  expect(compare("b")).toMatchObject({ value: 0, low: null, reason: noSpread });
});

test("a difference of metrics that scored all rows is the same drawn by itself", () => {
  const rows = sample(30);
  const whole = correlationComparison({ human: "rating", metrics: ["a", "b"], rows });
  // A third metric that lacks a row changes nothing for the two; a row that lacks a score would.
  const compared = { metric: "b", than: "a", measure: "pearson" } as const;
  const more = rows.map((row, at) => ({ ...row, scores: [...row.scores, at === 0 ? null : at] }));
  const also = correlationComparison({ human: "rating", metrics: ["a", "b", "c"], rows: more });
  expect(also.difference(compared)).toEqual(whole.difference(compared));
  const added = [...rows, { id: "z", prompt: "z", human: 3, scores: [null, null] }];
  const lacking = correlationComparison({ human: "rating", metrics: ["a", "b"], rows: added });
  expect(lacking.difference(compared)).toEqual(whole.difference(compared));
});

test("above 20,000 rows the delta method takes over, says so, and agrees with the bootstrap", () => {
  const rows = sample(5001);
  const { intervals, metrics } = conclude(rows);
  expect(intervals.text).toBe(
    "95 % delta method over 5,001 prompts, as there are more than 20,000 rows",
  );
  const drawn = conclude(rows, { interval: "percentile", resamples: 100 });
  for (const measure of measures) {
    const [delta, percentile] = [metrics.a?.[measure], drawn.metrics.a?.[measure]];
    const width = (percentile?.high ?? 0) - (percentile?.low ?? 0);
    expect(Math.abs((delta?.low ?? 0) - (percentile?.low ?? 0))).toBeLessThan(width / 3);
    expect(Math.abs((delta?.high ?? 0) - (percentile?.high ?? 0))).toBeLessThan(width / 3);
  }
});
