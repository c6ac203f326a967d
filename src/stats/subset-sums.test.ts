import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { subsetSums } from "./subset-sums.js";

/** The definition: bit by bit, the lowest first, a new word every 32 units and for each subset. */
function byDefinition(column: readonly number[], subsets: number): number[] {
  const random = randomFrom(1);
  return Array.from({ length: subsets }, () => {
    let bits = 0;
    return column.reduce((sum, value, unit) => {
      if (unit % 32 === 0) bits = random.integer(2 ** 32);
      const isIn = (bits >>> (unit % 32)) & 1;
      return sum + isIn * value;
    }, 0);
  });
}

test("sums are those of the units that the bits name, for any number of units", () => {
  const whole = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(fc.array(whole, { maxLength: 300 }), fc.nat(40), (column, subsets) => {
      const columns = [Float64Array.from(column), new Float64Array(column.length)];
      const [sums, none] = subsetSums(columns, { subsets, random: randomFrom(1) });
      expect([...(sums ?? [])]).toEqual(byDefinition(column, subsets));
      expect([...(none ?? [])].every((sum) => sum === 0)).toBe(true);
    }),
  );
});

test("subsets that are not held at once are those of one long draw", () => {
  const column = Array.from({ length: 40 }, (_, unit) => unit % 7);
  const subsets = 2 ** 18 + 5;
  const [sums] = subsetSums([Float64Array.from(column)], { subsets, random: randomFrom(1) });
  const expected = byDefinition(column, subsets);
  expect([...(sums ?? [])]).toEqual(expected);
});
