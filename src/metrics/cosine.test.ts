import fc from "fast-check";
import { expect, test } from "vitest";
import { cosine } from "./cosine.js";

test("known angles", () => {
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(2, 2))).toBeCloseTo(Math.SQRT1_2, 15);
  expect(cosine(Float32Array.of(3, 4), Float32Array.of(-3, -4))).toBe(-1);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 7))).toBe(0);
});

const vector = fc
  .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 8, maxLength: 8 })
  .filter((numbers) => numbers.some((number) => number !== 0));

test("lengths do not matter, order does not matter, and the value stays in [-1, 1]", () => {
  fc.assert(
    fc.property(vector, vector, fc.integer({ min: 1, max: 4096 }), (a, b, factor) => {
      const plain = cosine(Float32Array.from(a), Float32Array.from(b));
      const scaled = cosine(
        Float32Array.from(a, (x) => x * factor),
        Float32Array.from(b),
      );
      expect(scaled).toBeCloseTo(plain, 12);
      expect(cosine(Float32Array.from(b), Float32Array.from(a))).toBe(plain);
      expect(Math.abs(plain)).toBeLessThanOrEqual(1);
    }),
  );
});

test("no direction, no answer", () => {
  const unparsable = expect.objectContaining({ name: "NoAnswer", reason: "unparsable" });
  const refuses = (a: number[], b: number[]) =>
    expect(() => cosine(Float32Array.from(a), Float32Array.from(b))).toThrow(unparsable);
  refuses([0, 0], [1, 0]);
  refuses([1, Number.NaN], [1, 0]);
  refuses([1, 0], [1, 0, 0]);
});
