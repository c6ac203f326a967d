import fc from "fast-check";
import { expect, test } from "vitest";
import { radixOrder } from "./radix-order.js";
import { ranked } from "./ranked.js";

const anyNumbers = fc.array(
  fc.oneof(
    fc.double({ noNaN: true }),
    // Alike in the upper half of their bits.
    fc.integer({ min: -9, max: 9 }).map((steps) => Math.sign(steps) + steps * 2 ** -50),
    fc.constantFrom(0, -0, 1, -1, 5e-324, -5e-324, Number.MAX_VALUE, Infinity, -Infinity),
  ),
);

test("numbers are ordered as comparing orders them, equal ones by row", () => {
  fc.assert(
    fc.property(anyNumbers, (values) => {
      const expected = values
        .map((_, row) => row)
        .sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
      // Infinity minus itself is no number; comparing falls back to rows there, as it should.
      expect([...radixOrder(values).order]).toEqual(expected);
    }),
  );
});

test("a level counts the distinct numbers below", () => {
  fc.assert(
    fc.property(anyNumbers, (values) => {
      const distinct = [...new Set(values.map((value) => value + 0))];
      const { level, levels } = ranked(values);
      expect(levels).toBe(distinct.length);
      expect([...level]).toEqual(
        values.map((value) => distinct.filter((other) => other < value).length),
      );
    }),
  );
});

test("many rows, which are ordered by their bits, get the levels that few get by comparing", () => {
  fc.assert(
    fc.property(fc.array(anyNumbers, { minLength: 1 }), (parts) => {
      const few = parts.flat().slice(0, 90);
      const many = Array.from({ length: 12 }, () => few).flat();
      const filled = many.length < 1000 ? [...many, ...Array(1000).fill(few[0] ?? 1)] : many;
      const { level, levels } = ranked(filled);
      const expected = ranked(few);
      if (few.length > 0) {
        expect(levels).toBe(expected.levels);
        expect(level.slice(0, few.length)).toEqual(expected.level);
      }
    }),
  );
});

test.each(["unlike", "even", "even, with one far away"])(
  "so many rows that digits are longer, %s, are ordered as comparing orders them",
  (kind) => {
    const values = Float64Array.from({ length: 20_000 }, (_, row) => {
      if (kind !== "unlike") {
        // Many tie, or differ in their last bits alone.
        const even = Math.imul(row, 0x9e3779b1) >> 17;
        return row === 9 && kind.endsWith("away") ? 1e9 : even * (1 + (row % 3) * 2 ** -52);
      }
      const some = (row * 7919) % 10_007;
      // Seven upper halves with many lower ones each, a hundred with few, and thousands with one.
      if (row % 3 === 0) return (1 + (some % 7)) * (1 + some * 2 ** -50) * (row % 2 === 0 ? 1 : -1);
      return row % 3 === 1 ? (some % 100) + (some % 4) * 2 ** -45 - 50 : some - 5000.25;
    });
    const expected = values
      .map((_, row) => row)
      .sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
    const { order, isNewAt } = radixOrder(values);
    expect(order).toEqual(Uint32Array.from(expected));
    expected.forEach((row, place) => {
      if (isNewAt(place) !== (values[row] !== values[expected[place - 1] ?? -1])) {
        expect.unreachable(`place ${place}`);
      }
    });
  },
);

test("nothing has no levels", () => {
  expect(ranked([])).toEqual({
    level: new Int32Array(0),
    levels: 0,
    count: new Float64Array(0),
    order: new Uint32Array(0),
  });
});
