import fc from "fast-check";
import { expect, test } from "vitest";
import reference from "./paired-reference.json" with { type: "json" };
import { wilcoxonRankSum, wilcoxonSignedRank } from "./wilcoxon.js";

const numbers = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 });

test("signed ranks agree with an independent program in the normal approximation", () => {
  for (const { before, after, wilcoxon_p_normal_approx } of reference) {
    const differences = before.map((value, at) => value - (after[at] ?? 0));
    const { p } = wilcoxonSignedRank(differences, { exact: false });
    expect(Math.abs((p ?? 2) / wilcoxon_p_normal_approx - 1)).toBeLessThan(1e-9);
  }
});

test("signed ranks are exact for small samples without ties", () => {
  expect(wilcoxonSignedRank([1, 2, 3])).toEqual({ positive: 6, n: 3, p: 0.25, isExact: true });
  // W- = 1 + 2 = 3: the subsets {}, {1}, {2}, {3}, {1, 2} of 8 ranks, twice 5 of 256.
  const mixed = wilcoxonSignedRank([1.5, -0.5, 2, 3, -0.25, 4, 5, 0.75]);
  expect(mixed).toEqual({ positive: 33, n: 8, p: 10 / 256, isExact: true });
  // The exact distribution by enumeration of all signs.
  const sizes = [1, 2, 3, 4, 5, 6, 7];
  const sums = Array.from({ length: 128 }, (_, bits) =>
    sizes.reduce((sum, size, at) => sum + ((bits >> at) & 1) * size, 0),
  );
  for (const [bits, positive] of sums.entries()) {
    const signed = sizes.map((size, at) => ((bits >> at) & 1 ? size : -size));
    const smaller = Math.min(positive, 28 - positive);
    const share = sums.filter((sum) => sum <= smaller).length / 128;
    expect(wilcoxonSignedRank(signed).p).toBeCloseTo(Math.min(1, 2 * share), 12);
  }
});

test("signed ranks are exact with ties, too", () => {
  // SciPy 1.17.1, wilcoxon(…, method=PermutationMethod(n_resamples=10**7)): all ways of turning signs.
  const tied = wilcoxonSignedRank([1, 1, -1, 2, 2, -3, 3, 3, 4, 4, -4, 5]);
  expect(tied).toEqual({ positive: 59, n: 12, p: 0.13037109375, isExact: true });
  expect(wilcoxonSignedRank([1, 1, 1, 1]).p).toBe(2 / 16);
  expect(wilcoxonSignedRank(new Array(50).fill(0.5)).p).toBe(2 ** -49);
  expect(wilcoxonSignedRank(new Array(51).fill(0.5)).isExact).toBe(false);
});

test("zeros are dropped, and nothing but zeros has no p", () => {
  expect(wilcoxonSignedRank([0, 1, 0, 2, 3]).p).toBe(0.25);
  expect(wilcoxonSignedRank([0, 0])).toMatchObject({ p: null, reason: "every difference is 0" });
});

test("signed ranks are the same for the other direction, another order, stretched sizes", () => {
  fc.assert(
    fc.property(numbers, (differences) => {
      const found = wilcoxonSignedRank(differences).p;
      const turned = [...differences].reverse();
      for (const same of [turned, turned.map((each) => -each), turned.map((each) => each ** 3)]) {
        const { p } = wilcoxonSignedRank(same);
        if (found === null) expect(p).toBeNull();
        else expect(p).toBeCloseTo(found, 12);
      }
    }),
  );
});

test("exact and approximate p come near each other for twenty differences", () => {
  const differences = Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? -1 : 1) * (at + 1));
  const exact = wilcoxonSignedRank(differences).p ?? 2;
  const { p } = wilcoxonSignedRank(differences, { exact: false });
  expect(Math.abs((p ?? 2) - exact)).toBeLessThan(0.02);
});

test("rank sums agree with an independent program, with ties and without", () => {
  expect(wilcoxonRankSum([1, 2, 3], [4, 5, 6])).toBeCloseTo(0.049534613435626706, 12);
  const tied = wilcoxonRankSum([1, 2, 2, 3, 7], [2, 4, 5, 6, 6, 9]);
  expect(tied).toBeCloseTo(0.13954714372531585, 12);
  expect(wilcoxonRankSum([], [1, 2])).toBe(1);
  expect(wilcoxonRankSum([1, 1], [1, 1, 1])).toBe(1);
});

test("rank sums are the same with samples swapped and under monotone maps", () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const p = wilcoxonRankSum(one, other);
      expect(wilcoxonRankSum(other, one)).toBeCloseTo(p, 12);
      const cube = (values: readonly number[]) => values.map((value) => value ** 3 + 1);
      expect(wilcoxonRankSum(cube(one), cube(other))).toBe(p);
    }),
  );
});
