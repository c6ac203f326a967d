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
