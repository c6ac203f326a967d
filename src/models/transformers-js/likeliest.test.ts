import { expect, test } from "vitest";
import { likeliest } from "./likeliest.js";

const of = (...logits: number[]) => ({ data: Float32Array.from(logits), dims: [1, logits.length] });

test("shares of the whole vocabulary, the likeliest first", () => {
  // e^2 : 1 : e^2 : e, so 7.389 : 1 : 7.389 : 2.718 of 18.496.
  const found = likeliest(of(2, 0, 2, 1), 3);
  expect(found.map(({ id }) => id)).toEqual([0, 2, 3]);
  expect(Math.exp(found[0]?.logProbability ?? 0)).toBeCloseTo(0.39949, 4);
  expect(Math.exp(found[2]?.logProbability ?? 0)).toBeCloseTo(0.14696, 4);
});

test("of several rows the last; of large numbers no overflow; what is ruled out has no mass", () => {
  const data = Float32Array.of(9, 0, 1000, Number.NEGATIVE_INFINITY);
  expect(likeliest({ data, dims: [1, 2, 2] }, 2)).toEqual([
    { id: 0, logProbability: 0 },
    { id: 1, logProbability: Number.NEGATIVE_INFINITY },
  ]);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY]])("%s is no answer", (logit) => {
  expect(() => likeliest(of(0, logit), 2)).toThrow("The model's highest logit is");
});

test("nor are numbers of another kind", () => {
  expect(() => likeliest({ data: [1, 2] }, 2)).toThrow("no logits of 32-bit numbers");
});
