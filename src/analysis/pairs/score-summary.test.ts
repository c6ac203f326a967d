import fc from "fast-check";
import { expect, test } from "vitest";
import { scoreSummary } from "./score-summary.js";

const range = [0, 10] as const;
const row = (id: number, value: number | null, prompt?: string) => ({
  id: String(id),
  value,
  prompt,
  ...(value === null ? { reason: "refused" as const } : {}),
});

test("unscored rows are counted by reason and are in no mean, but in the bounds", () => {
  const rows = [
    row(1, 2),
    row(2, 4),
    row(3, null),
    { ...row(4, null), reason: "timeout" as const },
  ];
  const summary = scoreSummary(rows, { range });
  expect(summary).toMatchObject({
    n: 2,
    unscored: 2,
    reasons: { refused: 1, timeout: 1 },
    mean: { value: 3 },
    bounds: [1.5, 6.5],
  });
  expect(summary.intervals.text).toContain("2 rows");
});

test("nothing scored: no mean, with the reason, and bounds that know nothing", () => {
  expect(scoreSummary([row(1, null)], { range })).toMatchObject({
    n: 0,
    unscored: 1,
    mean: { value: null, low: null, high: null, reason: "nothing was scored" },
    bounds: [0, 10],
  });
  expect(scoreSummary([], { range })).toMatchObject({ n: 0, bounds: [0, 10] });
});

test("one prompt gives a mean without an interval", () => {
  const { mean, intervals } = scoreSummary([row(1, 2, "p"), row(2, 4, "p")], { range });
  expect(mean).toMatchObject({ value: 3, low: null, high: null });
  expect(intervals).toMatchObject({ clusteredBy: "prompt", clusters: 1 });
});

test("the interval holds the mean and lies in the range; the order of rows changes nothing", () => {
  const values = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), {
    minLength: 2,
    maxLength: 30,
  });
  fc.assert(
    fc.property(values, (scores) => {
      const rows = scores.map((value, index) => row(index, value));
      const { mean, n } = scoreSummary(rows, { range, resamples: 50 });
      expect(n).toBe(scores.length);
      expect(mean.value).toBeCloseTo(scores.reduce((a, b) => a + b, 0) / n, 9);
      expect(mean.low ?? 0).toBeGreaterThanOrEqual(0);
      expect(mean.high ?? 10).toBeLessThanOrEqual(10);
      const again = scoreSummary([...rows].reverse(), { range, resamples: 50 }).mean;
      expect(again.reason).toBe(mean.reason);
      expect(again.low ?? 0).toBeCloseTo(mean.low ?? 0, 9);
      expect(again.high ?? 0).toBeCloseTo(mean.high ?? 0, 9);
    }),
    { numRuns: 40 },
  );
});

test("of none and of all that are shares a one-sided bound says how far that can be trusted", () => {
  const all = Array.from({ length: 16 }, (_, at) => row(at, 1, `p${at >> 1}`));
  const shares = { range: [0, 1], isShare: true } as const;
  // Eight prompts, not sixteen images: 0.05^(1/8).
  expect(scoreSummary(all, shares).mean.oneSided?.low).toBeCloseTo(0.05 ** (1 / 8), 12);
  expect(scoreSummary(all, { range }).mean.oneSided).toBeUndefined();
  expect(scoreSummary([...all, row(99, 0)], shares).mean.oneSided).toBeUndefined();
});
