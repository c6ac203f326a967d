import { expect, test } from "vitest";
import { peoplesPreference } from "./people-preference.js";

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
