import { expect, test } from "vitest";
import { driftEvidence, evidenceOfDrift } from "./verify-anchors.js";

const none = { asked: 40, changed: 0 };

test("nothing seen tells nothing, and answers that stay tell against a drift", () => {
  expect(driftEvidence({ asked: 0, changed: 0 }, [])).toBe(1);
  expect(driftEvidence(none, [none, none])).toBeLessThan(1);
});

test("by hand: one anchor before and one changed after", () => {
  // Drift at time 1 (1/2): (10 / 10.5) (1 / 4); none yet (1/2): (10 / 10.5) (0.5 / 11.5); constant: 1/4.
  const expected = (0.5 * (10 / 10.5) * 0.25 + 0.5 * (10 / 10.5) * (0.5 / 11.5)) / 0.25;
  const found = driftEvidence({ asked: 1, changed: 0 }, [{ asked: 1, changed: 1 }]);
  expect(found).toBeCloseTo(expected, 12);
});

test("the mean over a constant rate is at most 1, summed over all outcomes", () => {
  for (const rate of [0.02, 0.2, 0.6]) {
    let mean = 0;
    for (let outcome = 0; outcome < 1 << 9; outcome++) {
      const bits = Array.from({ length: 9 }, (_, at) => (outcome >> at) & 1);
      const block = (from: number) => {
        const own = bits.slice(from, from + 3);
        return { asked: 3, changed: own.reduce((sum, bit) => sum + bit, 0) };
      };
      const { changed } = { changed: bits.reduce((sum, bit) => sum + bit, 0) };
      const probability = rate ** changed * (1 - rate) ** (9 - changed);
      mean += probability * driftEvidence(block(0), [block(3), block(6)]);
    }
    expect(mean).toBeLessThanOrEqual(1 + 1e-12);
  }
});

test("many changes are a drift, wherever they begin", () => {
  const many = { asked: 40, changed: 16 };
  expect(driftEvidence(none, [many])).toBeGreaterThan(evidenceOfDrift);
  expect(driftEvidence(none, [none, none, none, many])).toBeGreaterThan(evidenceOfDrift);
});
