import { expect, test } from "vitest";
import { type CardCandidate, cardGroup, chooseCards, type PairOutcome } from "./choose-cards.js";

const outcomesOf: Readonly<Record<string, readonly PairOutcome[]>> = {
  disagree: ["right", "tie"],
  fail: ["wrong", "tie"],
  right: ["right", "right"],
  unscored: ["right", "unscored"],
};

function candidates(counts: Readonly<Record<string, number>>): CardCandidate[] {
  return Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) => ({
      prompt: `${kind}-${at}`,
      domain: ["animals", "objects", "demography"][at % 3] ?? "",
      knob: at % 6 < 3 ? "count" : "colour",
      outcomes: outcomesOf[kind] ?? [],
    })),
  );
}

const places = { disagree: 6, "all-fail": 3, "all-right": 2 };

test("a pair's group follows from its outcomes, and an unscored pair has none", () => {
  expect(Object.values(outcomesOf).map(cardGroup)).toEqual([
    "disagree",
    "all-fail",
    "all-right",
    undefined,
  ]);
});

test("every group gets its places, spread over domains and knobs before any is used twice", () => {
  const chosen = chooseCards({
    candidates: candidates({ disagree: 60, fail: 60, right: 60, unscored: 60 }),
    places,
    seed: 0,
  });
  const groups = chosen.map(({ group }) => group);
  expect(groups).toEqual([
    ...Array(6).fill("disagree"),
    ...Array(3).fill("all-fail"),
    ...Array(2).fill("all-right"),
  ]);
  const strata = chosen.slice(0, 6).map(({ candidate: { domain, knob } }) => `${domain} ${knob}`);
  expect(new Set(strata).size).toBe(6);
});

test("the seed decides, and the same seed decides alike whatever the order of the strata", () => {
  const all = candidates({ disagree: 60, fail: 60, right: 60 });
  const prompts = (seed: number, list = all) =>
    chooseCards({ candidates: list, places, seed }).map(({ candidate }) => candidate.prompt);
  expect(prompts(1)).toEqual(prompts(1));
  expect(prompts(1)).not.toEqual(prompts(2));
  const byKnob = [
    ...all.filter(({ knob }) => knob === "count"),
    ...all.filter(({ knob }) => knob !== "count"),
  ];
  expect(prompts(1, byKnob)).toEqual(prompts(1));
});

test("places that a group can't fill go to the others, and no prompt comes twice", () => {
  const few = candidates({ disagree: 2, fail: 1, right: 60 });
  const twice = [...few, ...few];
  const chosen = chooseCards({ candidates: twice, places, seed: 3 });
  expect(chosen).toHaveLength(11);
  expect(new Set(chosen.map(({ candidate }) => candidate.prompt)).size).toBe(11);
  expect(chosen.filter(({ group }) => group === "all-right")).toHaveLength(8);
  expect(chooseCards({ candidates: [], places, seed: 3 })).toEqual([]);
});
