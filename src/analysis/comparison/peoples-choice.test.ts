import { expect, test } from "vitest";
import { peoplesChoice } from "./people-preference.js";

const estimate = (value: number, low: number, high: number) => ({ value, low, high });
const wins = { sure: estimate(0.7, 0.6, 0.8), unsure: estimate(0.6, 0.45, 0.75) };
const means = { sure: estimate(0.4, 0.2, 0.6), unsure: estimate(0.2, -0.1, 0.5) };
const against = { sure: estimate(-0.4, -0.6, -0.2), unsure: estimate(-0.1, -0.3, 0.1) };
const choice = (winRate: typeof wins.sure, difference: typeof wins.sure, kinds = 2) =>
  peoplesChoice({ winRate, difference }, { kinds });

test("labels of two kinds claim a preference only where win rate and difference both do", () => {
  expect(choice(wins.sure, means.sure)).toEqual({ preferred: "a" });
  expect(choice(estimate(0.3, 0.2, 0.4), against.sure)).toEqual({ preferred: "b" });
  expect(choice(wins.unsure, means.unsure)).toEqual({ preferred: null });
  const one = { preferred: null, contradiction: "only one of them is significant" };
  expect(choice(wins.sure, means.unsure)).toEqual(one);
  expect(choice(wins.unsure, means.sure)).toEqual(one);
});

test("pointing to different models is a contradiction of labels of two kinds, significant or not", () => {
  const apart = { preferred: null, contradiction: "they point to different models" };
  expect(choice(wins.unsure, against.unsure)).toEqual(apart);
  expect(choice(wins.sure, against.sure)).toEqual(apart);
  expect(choice(estimate(0.5 + 1e-16, 0.4, 0.6), against.unsure)).toEqual({ preferred: null });
});

test("graded labels may win more often without being better on average, but not be worse", () => {
  expect(choice(wins.sure, means.unsure, 5)).toEqual({ preferred: "a" });
  expect(choice(wins.unsure, means.sure, 5)).toEqual({ preferred: null });
  expect(choice(wins.sure, against.unsure, 5)).toEqual({ preferred: "a" });
  expect(choice(wins.sure, against.sure, 5)).toEqual({
    preferred: null,
    contradiction: "they are significant for different models",
  });
});
