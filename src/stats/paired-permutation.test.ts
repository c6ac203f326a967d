import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { benjaminiYekutieli } from "./adjusted-p-values.js";
import reference from "./benjamini-yekutieli-reference.json" with { type: "json" };
import { contributedScore, pairedPermutation } from "./paired-permutation.js";

const permute = (
  one: readonly number[],
  other: readonly number[],
  {
    unit = one.map((_, row) => row),
    permutations = 20_000,
    bin = undefined as number[] | undefined,
  } = {},
) => {
  const of = (values: readonly number[]) => ({
    value: Float64Array.from(values),
    ...(bin === undefined ? {} : { bin: Int32Array.from(bin) }),
  });
  return pairedPermutation({
    one: of(one),
    other: of(other),
    permutations,
    unit: Int32Array.from(unit),
    units: Math.max(...unit) + 1,
    random: randomFrom(0, "test"),
  });
};

test("comes close to the exact test, which an independent program enumerated", () => {
  const cases = [
    [0.96875, [1.32579, -3.094175, -0.132928, -0.621671, 1.069898, 1.085713]],
    [
      0.279296875,
      [
        -0.062542, 0.864745, -0.92176, 0.344509, 0.224937, 0.55459, 1.343389, 0.004774, -0.531093,
        0.721535, 0.260442, -0.319302,
      ],
    ],
  ] as const;
  for (const [exact, differences] of cases) {
    const { p, difference } = permute(
      differences,
      differences.map(() => 0),
    );
    // Four standard errors of 20,000 draws.
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000));
    const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
    expect(difference).toBeCloseTo(mean, 12);
  }
});

test("p is never 0, and 1 for methods that agree", () => {
  const many = Array.from({ length: 200 }, () => 1);
  const none = many.map(() => 0);
  expect(permute(many, none, { permutations: 999 }).p).toBe(1 / 1000);
  expect(permute(many, many, { permutations: 999 })).toEqual({ difference: 0, p: 1 });
});

test("rows of one unit are swapped together: one unit can tell nothing", () => {
  const one = [1, 1, 1, 1, 1, 1, 1, 1];
  const other = one.map(() => 0);
  expect(permute(one, other, { unit: one.map(() => 0) }).p).toBe(1);
  expect(permute(one, other).p).toBeLessThan(0.02);
});

test("bins hold sums whose sizes add up", () => {
  const value = Float64Array.from([1, -0.5, -1, -1]);
  expect(contributedScore({ value })).toBe(-1.5 / 4);
  expect(contributedScore({ value, bin: Int32Array.from([0, 0, 3, 3]) })).toBe(2.5 / 4);
  const binned = permute([1, -0.5, -1, -1], [0, 0, 0, 0], { bin: [0, 0, 3, 3] });
  expect(binned.difference).toBe(2.5 / 4);
});

test("Benjamini-Yekutieli agrees with an independent program", () => {
  for (const { p, by } of reference) {
    benjaminiYekutieli(p).forEach((adjusted, index) => {
      expect(adjusted).toBeCloseTo(by[index] ?? Number.NaN, 12);
    });
  }
  expect(benjaminiYekutieli([])).toEqual([]);
});
