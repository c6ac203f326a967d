import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SwapRow, swap } from "./swap.js";

const row = (id: number, original: number | null, swapped: number | null): SwapRow => ({
  id: String(id),
  metric: "m",
  prompt: `p${id % 3}`,
  original,
  swapped,
  set: id % 2 === 0 ? "outfits" : "objects",
  generator: id < 3 ? "good" : "bad",
});
// One failure, two ties, two right, one unscored.
const rows = [
  row(0, 0.4, 0.5),
  row(1, 0.5, 0.5),
  row(2, 0.7, 0.7),
  row(3, 0.9, 0.1),
  row(4, 0.8, 0.3),
  row(5, null, 0.9),
];

describe("the swap test", () => {
  it("counts failures, ties and unscored apart", () => {
    const { metrics, n, unscored, intervals } = swap(rows);
    expect({ n, unscored }).toEqual({ n: 5, unscored: 1 });
    expect(metrics.m?.overall).toMatchObject({
      n: 5,
      unscored: 1,
      failures: 1,
      ties: 2,
      failureRate: { value: 1 / 5 },
      tieRate: { value: 2 / 5 },
      bounds: { low: 1 / 6, high: 2 / 6 },
    });
    expect(metrics.m?.overall.difference.value).toBeCloseTo((-0.1 + 0.8 + 0.5) / 5, 12);
    expect(metrics.m?.sets.objects).toMatchObject({ n: 2, unscored: 1, failures: 0, ties: 1 });
    expect(metrics.m?.generators.good).toMatchObject({ n: 3, failures: 1, ties: 2 });
    expect(intervals).toMatchObject({ clusteredBy: "prompt", clusters: 3 });
  });

  it("of a metric where less is better the lower score wins", () => {
    const { metrics } = swap(rows, { directionOf: () => "lower" });
    expect(metrics.m?.overall).toMatchObject({ failures: 2, ties: 2 });
  });

  it("a constant metric never fails, and ties everywhere", () => {
    const constant = rows.map((one) => ({ ...one, original: 1, swapped: 1 }));
    const summary = swap(constant).metrics.m?.overall;
    expect(summary).toMatchObject({ failures: 0, ties: 6, tieRate: { value: 1 } });
    // Three descriptions without a failure still allow for many.
    expect(summary?.failureRate.oneSided?.high).toBeCloseTo(1 - 0.05 ** (1 / 3), 12);
  });

  it("takes what differs by rounding for a tie, so that a bag of words ties everywhere", () => {
    const noise = (id: number) => 1e-8 * Math.sin(id + 1);
    const bag = Array.from({ length: 30 }, (_, id) => row(id, 0.27, 0.27 + noise(id)));
    const { metrics, tieRule, tieTolerance } = swap(bag);
    expect(metrics.m?.overall).toMatchObject({ failures: 0, ties: 30, tieRate: { value: 1 } });
    expect(tieTolerance).toBe(1e-6);
    expect(tieRule).toContain("scores within 1e-6 (relative) count as ties");
    const exact = swap(bag, { tieTolerance: 0 });
    expect(exact.metrics.m?.overall).toMatchObject({ failures: 15, ties: 0 });
    expect(exact).toMatchObject({
      tieTolerance: 0,
      tieRule: expect.stringContaining("only equal"),
    });
    const further = bag.map((one) => ({ ...one, swapped: 0.27 * (1 + 1e-5) }));
    expect(swap(further).metrics.m?.overall).toMatchObject({ failures: 30, ties: 0 });
  });

  it("says why nothing can be said", () => {
    const summary = swap([row(0, null, 1)]).metrics.m?.overall;
    expect(summary).toMatchObject({ n: 0, failureRate: { value: null }, bounds: { high: 1 } });
    expect(summary?.failureRate.reason).toContain("no image is scored");
  });

  it("draws whole descriptions: images of one description are one case", () => {
    const copies = (description: (id: number) => string) =>
      Array.from({ length: 40 }, (_, id) => ({
        ...row(id, 0, id % 4 === 0 ? 1 : -1),
        prompt: description(id),
      }));
    const width = (some: readonly SwapRow[]) => {
      const rate = swap(some).metrics.m?.overall.failureRate;
      return (rate?.high ?? 0) - (rate?.low ?? 0);
    };
    const alone = width(copies(String));
    const together = width(copies((id) => String(id % 4)));
    expect(together).toBeGreaterThan(1.5 * alone);
  });

  it("is the same in whatever order the rows come, and its shares add up", () => {
    const score = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 20 }), (scores) => {
        const some = scores.map(([original, swapped], id) => row(id, original, swapped));
        const one = swap(some, { resamples: 20 }).metrics.m?.overall;
        const other = swap([...some].reverse(), { resamples: 20 }).metrics.m?.overall;
        expect(other?.failureRate).toEqual(one?.failureRate);
        expect((one?.n ?? 0) + (one?.unscored ?? 0)).toBe(some.length);
        expect((one?.failures ?? 0) + (one?.ties ?? 0)).toBeLessThanOrEqual(one?.n ?? 0);
      }),
      { numRuns: 50 },
    );
  });
});
