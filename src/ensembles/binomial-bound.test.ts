import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersNeeded, atMostErrors, binomialUpperBound } from "./binomial-bound.js";

/** The sum of the probabilities themselves. */
function summed(errors: number, n: number, rate: number): number {
  let term = (1 - rate) ** n;
  let sum = term;
  for (let k = 1; k <= errors; k++) {
    term *= ((n - k + 1) / k) * (rate / (1 - rate));
    sum += term;
  }
  return sum;
}

describe("the probability of at most so many errors", () => {
  test("is the sum of the binomial probabilities", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }).chain((n) => fc.tuple(fc.nat(n - 1), fc.constant(n))),
        fc.double({ min: 0.001, max: 0.9, noNaN: true }),
        ([errors, n], rate) => {
          expect(atMostErrors(errors, n, rate)).toBeCloseTo(summed(errors, n, rate), 9);
        },
      ),
    );
  });

  test("is 1 where no more could be wrong", () => {
    expect(atMostErrors(3, 3, 0.9)).toBe(1);
    expect(atMostErrors(0, 0, 0.9)).toBe(1);
  });
});

describe("the upper bound of an error rate", () => {
  // Found by bisection of the exact sum of binomial coefficients, in another language.
  test.each([
    [0, 20, 0.95, 0.1391083406],
    [0, 59, 0.95, 0.0495076098],
    [1, 93, 0.95, 0.0499939783],
    [5, 100, 0.95, 0.1022533776],
    [3, 153, 0.95, 0.0498950303],
    [17, 400, 0.99, 0.0721466786],
  ])("of %i errors in %i at %d is %d", (errors, n, confidence, bound) => {
    expect(binomialUpperBound(errors, n, confidence)).toBeCloseTo(bound, 9);
  });

  test("leaves exactly the promised probability to fewer errors", () => {
    for (const [errors, n] of [
      [1, 30],
      [4, 55],
      [20, 21],
    ] as const) {
      expect(summed(errors, n, binomialUpperBound(errors, n, 0.9))).toBeCloseTo(0.1, 8);
    }
  });

  test("is 1 where nothing was answered, or nothing rightly", () => {
    expect(binomialUpperBound(0, 0, 0.95)).toBe(1);
    expect(binomialUpperBound(4, 4, 0.95)).toBe(1);
  });
});

describe("the answers that are needed", () => {
  test("are 59 without an error for 5 % at 95 %", () => {
    expect(answersNeeded(0, { target: 0.05, confidence: 0.95 })).toBe(59);
    expect(answersNeeded(0, { target: 0.01, confidence: 0.95 })).toBe(299);
  });

  test("are the fewest that do", () => {
    for (const errors of [1, 2, 7]) {
      const n = answersNeeded(errors, { target: 0.05, confidence: 0.95 });
      expect(binomialUpperBound(errors, n, 0.95)).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(binomialUpperBound(errors, n - 1, 0.95)).toBeGreaterThan(0.05);
    }
  });
});
