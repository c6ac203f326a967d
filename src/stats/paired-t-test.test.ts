import fc from "fast-check";
import { expect, test } from "vitest";
import { criticalT, regularisedIncompleteBeta, studentTPValue } from "./incomplete-beta.js";
import reference from "./paired-reference.json" with { type: "json" };
import { pairedTTest } from "./paired-t-test.js";

test("agrees with an independent program", () => {
  for (const { before, after, ...expected } of reference) {
    const found = pairedTTest(before, after);
    expect(found.t).toBeCloseTo(expected.t, 10);
    expect(found.df).toBe(expected.df);
    expect((found.p ?? 0) / expected.p_two_sided).toBeCloseTo(1, 9);
    expect(found.meanDifference).toBeCloseTo(expected.mean_difference, 12);
    expect(found.low).toBeCloseTo(expected.ci95[0] ?? Number.NaN, 11);
    expect(found.high).toBeCloseTo(expected.ci95[1] ?? Number.NaN, 11);
    expect(found.cohensDz).toBeCloseTo(expected.cohens_dz, 11);
  }
});

test("what has no spread has no t, and says so", () => {
  expect(pairedTTest([], []).reason).toBe("no complete pair");
  expect(pairedTTest([1], [0])).toMatchObject({ t: null, df: null, meanDifference: 1 });
  // 0.3 - 0.1 and 0.4 - 0.2 differ by rounding alone.
  const { reason, ...found } = pairedTTest([0.3, 0.4, 0.9], [0.1, 0.2, 0.7]);
  expect(reason).toBe("the differences are all equal");
  expect(found).toMatchObject({ t: null, p: null, low: null, high: null, cohensDz: null, df: 2 });
  expect(() => pairedTTest([1], [])).toThrow(RangeError);
});

test("t has its textbook quantiles, and one degree of freedom is Cauchy's distribution", () => {
  expect(criticalT(0.05, 10)).toBeCloseTo(2.228139, 6);
  expect(studentTPValue(criticalT(0.05, 10), 10)).toBeCloseTo(0.05, 14);
  expect(criticalT(0.05, 1e6)).toBeCloseTo(1.959966357, 7);
  for (const t of [0, 0.1, 1, 30]) {
    expect(studentTPValue(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 13);
    // Two degrees have a closed form, too.
    expect(studentTPValue(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 13);
  }
});

test("swapping before and after turns the sign and keeps p", () => {
  const pair = fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 }));
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), (pairs) => {
      const before = pairs.map(([one]) => one);
      const after = pairs.map(([, other]) => other);
      const one = pairedTTest(before, after);
      const other = pairedTTest(after, before);
      expect(other.reason).toBe(one.reason);
      expect((other.t ?? 0) + (one.t ?? 0)).toBe(0);
      expect(other.p).toBe(one.p);
    }),
  );
});

test("I_x(a, b) and I_1-x(b, a) add up to 1, and I_x(1, b) is 1 - (1 - x)^b", () => {
  const parameter = fc.double({ min: 0.1, max: 500, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1024 }), parameter, parameter, (steps, a, b) => {
      // 1 - x must be exact, or the two ask about different points.
      const x = steps / 1024;
      const found = regularisedIncompleteBeta(x, a, b);
      expect(found).toBeGreaterThanOrEqual(0);
      expect(found).toBeLessThanOrEqual(1 + 1e-12);
      expect(found + regularisedIncompleteBeta(1 - x, b, a)).toBeCloseTo(1, 10);
      expect(regularisedIncompleteBeta(x, 1, b)).toBeCloseTo(1 - (1 - x) ** b, 10);
    }),
  );
});
