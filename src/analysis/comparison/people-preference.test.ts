import { expect, test } from "vitest";
import { peoplesChoice, peoplesPreference } from "./people-preference.js";

const answers = (wins: readonly number[], promptOf: (at: number) => string) =>
  wins.map((win, at) => ({ prompt: promptOf(at), win, difference: 2 * win - 1 }));

test("the share of answers and their mean difference, ties half", () => {
  const found = peoplesPreference(answers([1, 1, 0.5, 0], String));
  expect(found).toMatchObject({
    n: 4,
    prompts: 4,
    winRate: { value: 0.625 },
    difference: { value: 0.25 },
  });
});

test("answers to one prompt are drawn together: more of them make no narrower interval", () => {
  const wins = [1, 1, 1, 0, 1, 0, 1, 1, 0, 1];
  const once = peoplesPreference(answers(wins, String));
  const thrice = peoplesPreference(
    answers(
      wins.flatMap((win) => [win, win, win]),
      (at) => String(Math.floor(at / 3)),
    ),
  );
  expect(thrice).toMatchObject({ n: 30, prompts: 10, winRate: once.winRate });
});

test("where all agree, a one-sided bound says how far that goes; nobody is no number", () => {
  const all = peoplesPreference(
    answers(
      Array.from({ length: 20 }, () => 1),
      String,
    ),
  );
  expect(all.winRate.oneSided?.low).toBeCloseTo(0.05 ** (1 / 20), 9);
  expect(peoplesPreference([]).winRate.value).toBeNull();
});

test("answers about drawn prompts count by 1 / probability, those without a draw as a sample drawn first", () => {
  const draw = (weight: number, round: number) => ({ weight, stratum: "", round });
  const drawn = [
    { prompt: "1", win: 1, difference: 1, draw: draw(3, 1) },
    { prompt: "2", win: 0, difference: -1, draw: draw(1, 1) },
  ];
  expect(peoplesPreference(drawn, { of: 8 })).toMatchObject({
    n: 2,
    winRate: { value: 0.75 },
    difference: { value: 0.5 },
  });
  // Precisions 1 / 24 and 1 / 4: the first two stand for 4 / 7 + 6 / 7 each, the others for 6 / 7 of their weight.
  const earlier = ["3", "4"].map((prompt) => ({ prompt, win: 1, difference: 1 }));
  const both = peoplesPreference([...earlier, ...drawn], { of: 8 });
  expect(both.winRate.value).toBeCloseTo((2 * 10 + 18) / (2 * 10 + 18 + 6), 9);
  // Rounds are of prompts: several people on one share its weight.
  const several = peoplesPreference([...earlier, ...earlier, ...drawn], { of: 8 });
  expect(several.winRate.value).toBeCloseTo(both.winRate.value ?? Number.NaN, 9);
});

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
