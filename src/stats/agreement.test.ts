import fc from "fast-check";
import { expect, test } from "vitest";
import { cohenKappa, kappaWeights } from "./cohen-kappa.js";
import { fleissKappa, generalisedFleissKappa, majorityShare } from "./fleiss-kappa.js";
import unequal from "./generalised-fleiss-reference.json" with { type: "json" };
import { krippendorffAlpha, ratingScales } from "./krippendorff-alpha.js";

// Five raters of 30 items and the values that an independent program found for them.
const raters = [
  [3, 3, 2, 3, 2, 3, 4, 2, 3, 2, 1, 3, 1, 4, 3, 3, 1, 1, 3, 4, 1, 1, 3, 1, 2, 4, 1, 4, 1, 2],
  [4, 2, 2, 4, 2, 2, 4, 3, 4, 1, 1, 2, 1, 4, 3, 3, 1, 1, 4, 4, 2, 2, 4, 1, 2, 4, 1, 4, 1, 2],
  [3, 3, 1, 4, 2, 2, 4, 2, 3, 2, 1, 4, 1, 3, 4, 3, 1, 1, 4, 4, 1, 3, 4, 1, 2, 4, 1, 3, 2, 2],
  [2, 2, 3, 3, 2, 2, 3, 3, 4, 1, 1, 3, 1, 3, 4, 3, 1, 1, 4, 4, 1, 3, 3, 2, 2, 4, 1, 4, 1, 2],
  [3, 3, 2, 4, 1, 1, 4, 4, 4, 2, 1, 3, 1, 4, 4, 3, 1, 2, 4, 3, 2, 3, 4, 1, 2, 4, 1, 4, 1, 2],
];
const firstAgainstOthers = {
  none: [0.4812680115273775, 0.5118343195266272, 0.4144144144144145, 0.47214076246334313],
  linear: [0.6912521440823327, 0.6802841918294849, 0.6132596685082874, 0.614065180102916],
  quadratic: [0.8481012658227848, 0.8133333333333334, 0.7729422894985809, 0.736842105263158],
};
const items = raters[0]?.map((_, index) => raters.map((ratings) => ratings[index] ?? 0)) ?? [];

test("agrees with the oracle", () => {
  const [first = [], ...others] = raters;
  for (const weights of kappaWeights) {
    others.forEach((other, index) => {
      const expected = firstAgainstOthers[weights][index] ?? Number.NaN;
      expect(cohenKappa(first, other, weights)).toBeCloseTo(expected, 12);
    });
  }
  expect(fleissKappa(items)).toBeCloseTo(0.4524572649572649, 12);
  expect(majorityShare(items)).toBeCloseTo(0.7533333333333334, 12);
});

test.each(unequal.cases)("generalised kappa of $items.length items is irrCAC's", (each) => {
  expect(generalisedFleissKappa(each.items)).toBeCloseTo(each.kappa, 12);
});

test("generalised kappa is Fleiss' own where items have as many ratings each", () => {
  expect(generalisedFleissKappa(items)).toBeCloseTo(fleissKappa(items), 12);
  expect(
    generalisedFleissKappa([
      [0, 0, 0],
      [1, 1],
      [1, 0],
    ]),
  ).toBeCloseTo(1 / 3, 12);
});

test("gives the alphas of the example that defines it, with ratings missing", () => {
  const units = [
    ...[
      [1, 1, 1],
      [2, 2, 3, 2],
      [3, 3, 3, 3],
      [3, 3, 3, 3],
      [2, 2, 2, 2],
      [1, 2, 3, 4],
    ],
    ...[[4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3]],
  ];
  expect(krippendorffAlpha(units, { scale: "nominal" })).toBeCloseTo(0.743, 3);
  expect(krippendorffAlpha(units, { scale: "ordinal" })).toBeCloseTo(0.815, 3);
  expect(krippendorffAlpha(units, { scale: "interval" })).toBeCloseTo(0.849, 3);
});

const someItems = fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 5 }), {
  minLength: 1,
  maxLength: 20,
});
const somePairs = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 30 });

test("alpha is what its coincidences say, pair by pair", () => {
  fc.assert(
    fc.property(someItems, fc.constantFrom(...ratingScales), (all, scale) => {
      const pairable = all.filter((ratings) => ratings.length > 1);
      const flat = pairable.flat();
      const count = (value: number) => flat.filter((other) => other === value).length;
      const distance = (a: number, b: number) => {
        if (scale === "nominal") return a === b ? 0 : 1;
        if (scale === "interval") return (a - b) ** 2;
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        let between = -(count(a) + count(b)) / 2;
        for (let value = low; value <= high; value++) between += count(value);
        return a === b ? 0 : between ** 2;
      };
      const sum = (values: readonly number[]) =>
        values.reduce((total, a) => total + values.reduce((t, b) => t + distance(a, b), 0), 0);
      const observed = pairable.reduce((total, each) => total + sum(each) / (each.length - 1), 0);
      const found = krippendorffAlpha(all, { scale });
      if (sum(flat) === 0) expect(found).toBeNaN();
      else expect(found).toBeCloseTo(1 - ((flat.length - 1) * observed) / sum(flat), 9);
    }),
  );
});

function expectSame(found: number, expected: number): void {
  if (Number.isNaN(expected)) expect(found).toBeNaN();
  else expect(found).toBeCloseTo(expected, 9);
}

test("kappa is alike from both sides, at most 1, and the same for every row twice", () => {
  fc.assert(
    fc.property(somePairs, fc.constantFrom(...kappaWeights), (pairs, weights) => {
      const one = pairs.map(([a]) => a);
      const other = pairs.map(([, b]) => b);
      const kappa = cohenKappa(one, other, weights);
      expect(kappa <= 1 || Number.isNaN(kappa)).toBe(true);
      expectSame(cohenKappa(other, one, weights), kappa);
      expectSame(cohenKappa([...one, ...one], [...other, ...other], weights), kappa);
      const reversed = one.map((category) => 4 - category);
      const alike = other.map((category) => 4 - category);
      expectSame(cohenKappa(reversed, alike, weights), kappa);
    }),
  );
});

test("neither the order of items nor that of ratings changes anything", () => {
  fc.assert(
    fc.property(someItems, (all) => {
      const turned = all.map((ratings) => ratings.toReversed()).toReversed();
      for (const scale of ratingScales) {
        const alpha = krippendorffAlpha(all, { scale });
        expectSame(krippendorffAlpha(turned, { scale }), alpha);
      }
      expectSame(fleissKappa(turned), fleissKappa(all));
      expectSame(generalisedFleissKappa(turned), generalisedFleissKappa(all));
      expectSame(majorityShare(turned), majorityShare(all));
    }),
  );
});

test("ordinal alpha sees the order of values alone, nominal only whether they differ", () => {
  fc.assert(
    fc.property(someItems, (all) => {
      const stretched = all.map((ratings) => ratings.map((rating) => 3 ** rating));
      const ordinal = krippendorffAlpha(all, { scale: "ordinal" });
      expectSame(krippendorffAlpha(stretched, { scale: "ordinal" }), ordinal);
      const renamed = all.map((ratings) => ratings.map((rating) => [3, 0, 4, 1, 2][rating] ?? 0));
      const nominal = krippendorffAlpha(all, { scale: "nominal" });
      expectSame(krippendorffAlpha(renamed, { scale: "nominal" }), nominal);
    }),
  );
});

test("how often an item counts is as if it stood there so often", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), fc.nat(3))),
      (all) => {
        const once = all.map(([ratings]) => ratings);
        const times = all.map(([, count]) => count);
        const repeated = all.flatMap(([ratings, count]) => Array(count).fill(ratings));
        for (const scale of ratingScales) {
          const alpha = krippendorffAlpha(repeated, { scale });
          expectSame(krippendorffAlpha(once, { scale, times }), alpha);
        }
        expectSame(fleissKappa(once, times), fleissKappa(repeated));
        const uneven = [...once, [0]];
        expectSame(
          generalisedFleissKappa(uneven, [...times, 2]),
          generalisedFleissKappa([...repeated, [0], [0]]),
        );
        expectSame(majorityShare(once, times), majorityShare(repeated));
      },
    ),
  );
});

test("what is undefined is NaN", () => {
  expect(cohenKappa([], [])).toBeNaN();
  expect(cohenKappa([1, 1], [1, 1])).toBeNaN();
  expect(cohenKappa([0, 0], [1, 1])).toBe(0);
  expect(() => cohenKappa([1], [1, 2])).toThrow("Expected 1 ratings but received 2");
  expect(fleissKappa([[1, 2], [1]])).toBeNaN();
  expect(fleissKappa([[1], [2]])).toBeNaN();
  expect(fleissKappa([])).toBeNaN();
  expect(generalisedFleissKappa([])).toBeNaN();
  expect(generalisedFleissKappa([[1], [2]])).toBeNaN();
  expect(generalisedFleissKappa([[1, 1], [1]])).toBeNaN();
  for (const scale of ratingScales) {
    expect(krippendorffAlpha([[1], [2]], { scale })).toBeNaN();
    // A tenth three times has a mean that is not a tenth.
    expect(krippendorffAlpha([[0.1, 0.1, 0.1]], { scale })).toBeNaN();
  }
  expect(majorityShare([[1], []])).toBeNaN();
});
