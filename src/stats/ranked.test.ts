import fc from "fast-check";
import { expect, test } from "vitest";
import { radixOrder } from "./radix-order.js";
import { ranked } from "./ranked.js";

const anyNumbers = fc.array(
  fc.oneof(
    fc.double({ noNaN: true }),
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

test("nothing has no levels", () => {
  expect(ranked([])).toEqual({ level: new Int32Array(0), levels: 0 });
});
