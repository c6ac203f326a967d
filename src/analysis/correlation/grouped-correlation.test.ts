import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import type { GroupedRow } from "../inference/grouped-samples.js";
import { noSpread } from "../inference/intervals.js";
import { measures } from "./correlation-measures.js";
import { centredInterval, groupedCorrelation } from "./grouped-correlation.js";

/** The first metric follows the share of true positives closely, the second is noise. */
function sample(images = 120): GroupedRow[] {
  const random = randomFrom(2, "grouped test");
  return Array.from({ length: images }, (_, at) => {
    const tp = random.integer(4);
    const counts = [tp, random.integer(2), 3 - tp] as const;
    const scores = [tp / 3 + random.between(0, 0.3), random.next()];
    return { id: `${at}`, prompt: `prompt ${at % (images / 2)}`, counts, scores };
  });
}
const options = { target: "f1", groups: 10, seeds: 3, resamples: 100 } as const;
const conclude = (rows: readonly GroupedRow[], more = {}) =>
  groupedCorrelation({ human: "f1", metrics: ["a", "b"], rows }, { ...options, ...more })
    .conclusion;

test("with a group for each image it is the correlation over images, whatever the shuffle", () => {
  const rows = (
    [
      [1, 0, 3, 0.2],
      [2, 0, 1, 0.9],
      [1, 3, 0, 0.4],
      [4, 0, 0, 0.8],
    ] as const
  ).map(([tp, fp, fn, score], at) => ({
    id: `${at}`,
    counts: [tp, fp, fn] as const,
    scores: [score, 1],
  }));
  // F1: 2/5, 4/5, 2/5, 1; precision: 1, 1, 1/4, 1; recall: 1/4, 2/3, 1, 1.
  const f1 = conclude(rows, { groups: 4 }).metrics.a;
  expect(f1?.kendallTauB.value).toBeCloseTo(3 / Math.sqrt(5 * 6), 12);
  expect(f1?.pairwiseAccuracy.value).toBeCloseTo(4 / 5, 12);
  const precision = conclude(rows, { groups: 4, target: "precision" }).metrics.a;
  expect(precision?.pairwiseAccuracy.value).toBeCloseTo(2 / 3, 12);
  const recall = conclude(rows, { groups: 4, target: "recall" }).metrics.a;
  expect(recall?.pairwiseAccuracy.value).toBeCloseTo(3 / 5, 12);
});

test("keys, counts, intervals around the value", () => {
  const rows = sample();
  const more: GroupedRow[] = [
    { id: "x", counts: null, scores: [1, 1] },
    { id: "y", counts: [1, 1, 1], scores: [null, 1] },
  ];
  const found = conclude([...rows, ...more], { seeds: 20 });
  const { metrics, n, unscored, unrated, groups, seeds, intervals } = found;
  expect({ n, unscored, unrated, groups, seeds }).toEqual({
    n: 241,
    unscored: 1,
    unrated: 1,
    groups: 10,
    seeds: 20,
  });
  expect(intervals).toMatchObject({ method: "percentile", clusteredBy: "prompt", clusters: 61 });
  for (const measure of measures) {
    const { value, low, high } = metrics.a?.[measure] ?? {};
    expect(value).toBeGreaterThan(0.5);
    expect(low).toBeLessThan(high ?? 0);
    expect(low).toBeLessThan(value ?? -9);
    expect(high).toBeGreaterThan(value ?? 9);
    expect(Math.abs((value ?? 9) - ((low ?? 0) + (high ?? 0)) / 2)).toBeLessThan(0.1);
  }
  expect(metrics.a?.p).toEqual({ spearman: null, kendallTauB: null, pearson: null });
});

test("the order of the rows changes nothing", () => {
  const rows = sample(40);
  const one = conclude(rows).metrics;
  const other = conclude([...rows].reverse()).metrics;
  for (const measure of measures) {
    for (const end of ["value", "low", "high"] as const) {
      expect(other.a?.[measure][end]).toBeCloseTo(one.a?.[measure][end] ?? 9, 9);
    }
  }
});

test("undefined with a reason: too few images, no target, one prompt", () => {
  const rows = sample(8);
  expect(conclude(rows).metrics.a?.spearman).toMatchObject({ value: null, low: null });
  const none = sample().map((row) => ({ ...row, counts: [0, 0, 0] as const }));
  expect(conclude(none).metrics.a?.pearson.reason).toMatch(/^there are too few groups/);
  const together = sample().map((row) => ({ ...row, prompt: "the same" }));
  expect(conclude(together).metrics.a?.pearson).toMatchObject({
    value: expect.any(Number),
    low: null,
    high: null,
  });
});

test("a value that one shuffle moves far takes its interval along", () => {
  const rows = sample();
  const many = conclude(rows, { seeds: 300, resamples: 2 }).metrics.b?.pearson.value ?? 9;
  const { value, low, high } = conclude(rows, { seeds: 1 }).metrics.b?.pearson ?? {};
  expect(Math.abs((value ?? 9) - many)).toBeGreaterThan(0.1);
  const width = (high ?? 9) - (low ?? 0);
  expect(Math.abs((value ?? 9) - ((low ?? 0) + (high ?? 0)) / 2)).toBeLessThan(width / 10);
});

test("a difference is that of the two values, and shows the better one", () => {
  const table = { human: "f1", metrics: ["a", "b"], rows: sample() };
  const { conclusion, difference } = groupedCorrelation(table, options);
  const { a, b } = conclusion.metrics;
  const compared = { metric: "a", than: "b", measure: "kendallTauB" } as const;
  const { value, low } = difference(compared);
  expect(value).toBeCloseTo((a?.kendallTauB.value ?? 0) - (b?.kendallTauB.value ?? 0), 12);
  expect(low).toBeGreaterThan(0);
  const same = difference({ ...compared, than: "a" });
  expect(same).toEqual({ value: 0, low: null, high: null, reason: noSpread });
});

test("without bounds quantiles keep their distance from the median", () => {
  const [low, high] = centredInterval(1, [4, 0, 3, Number.NaN, 1, 2]) ?? [];
  expect(low).toBeCloseTo(-0.9, 12);
  expect(high).toBeCloseTo(2.9, 12);
  expect(centredInterval(1, [Number.NaN])).toBeUndefined();
});

test("with bounds they keep it on Fisher's scale and stay within", () => {
  const resampled = Array.from({ length: 401 }, (_, at) => Math.tanh((at - 200) / 100));
  // On that scale the quantiles are -1.9 and 1.9, the median 0.
  const [low, high] = centredInterval(Math.tanh(1.5), resampled, [-1, 1]) ?? [];
  expect(low).toBeCloseTo(Math.tanh(-0.4), 12);
  expect(high).toBeCloseTo(Math.tanh(3.4), 12);
  const shares = resampled.map((one) => (one + 1) / 2);
  const [least, most] = centredInterval((Math.tanh(1.5) + 1) / 2, shares, [0, 1]) ?? [];
  expect(least).toBeCloseTo((Math.tanh(-0.4) + 1) / 2, 12);
  expect(most).toBeCloseTo((Math.tanh(3.4) + 1) / 2, 12);
});

test("at a bound they are widened to hold the value", () => {
  expect(centredInterval(1, [0.5, 0.5], [-1, 1])).toEqual([0.5, 1]);
  expect(centredInterval(1, [1, 1, 1], [-1, 1])).toEqual([1, 1]);
  expect(centredInterval(0.5, [1, 1, 1], [-1, 1])).toEqual([0.5, 1]);
});
