import fc from "fast-check";
import { expect, test } from "vitest";
import { metricRanks } from "./disagreement.js";

const none = Number.NaN;

test("ranks are shares of the others that lie below, ties half", () => {
  expect([...metricRanks(Float64Array.of(0.2, 0.9, none), "higher")]).toEqual([0, 1, none]);
  expect([...metricRanks(Float64Array.of(0.2, 0.9, none), "lower")]).toEqual([1, 0, none]);
  expect([...metricRanks(Float64Array.of(3, 1, 3, 2, 0), "higher")]).toEqual([
    0.875, 0.25, 0.875, 0.5, 0,
  ]);
  expect([...metricRanks(Float64Array.of(none, 4), "higher")]).toEqual([none, none]);
});

test("they are what counting each against all others gives, to the last digit", () => {
  const score = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -3, max: 3 }),
    fc.constant(none),
  );
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), (scores) => {
      const given = scores.filter((one) => !Number.isNaN(one));
      const share = (own: number) => {
        const twice = given.reduce((sum, one) => sum + (one < own ? 2 : one === own ? 1 : 0), -1);
        return Number.isNaN(own) || given.length < 2 ? none : twice / (2 * (given.length - 1));
      };
      expect([...metricRanks(Float64Array.from(scores), "higher")]).toEqual(scores.map(share));
    }),
  );
});
