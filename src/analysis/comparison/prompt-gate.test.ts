import { expect, test } from "vitest";
import { fewestToFail, type GatedPrompt, promptGate } from "./prompt-gate.js";

const prompts = (count: number, one: Partial<GatedPrompt>): GatedPrompt[] =>
  Array.from({ length: count }, (_, at) => ({
    model: "m",
    prompt: `${at}`,
    scores: [],
    unscored: 0,
    against: [],
    ...one,
  }));
const many = (count: number, value: number) => Array.from({ length: count }, () => value);

test("evidence is the probability under an urn of 3 to 1 over that of exchangeable scores", () => {
  const [one] = promptGate(prompts(1, { scores: [...many(6, 0), 1], against: many(6, 0.5) }), {
    direction: "higher",
  }).perPrompt;
  // Six below of six: 3/(3 + 6) under the urn; 1 over (12 over 6) where scores are exchangeable.
  expect(one?.evidence).toBeCloseTo((3 / 9) * 924, 9);
  expect(one).toMatchObject({
    threshold: 0.5,
    allowance: 1 / 7,
    below: 6,
    samples: 7,
    state: "failed",
  });
});

test("the bound grows with the prompts of a build; lower scores may be the better ones", () => {
  const broken = prompts(1, { prompt: "broken", scores: many(10, 1), against: many(10, 0) });
  const sound = prompts(199, { scores: many(10, 0), against: many(10, 0) });
  const gate = promptGate([...sound, ...broken], { direction: "lower" });
  expect(gate).toMatchObject({ passed: false, bound: 20_000, error: 0.01 });
  expect(gate.perPrompt.filter(({ state }) => state === "failed")).toMatchObject([
    { prompt: "broken", needed: null },
  ]);
  expect(promptGate([...sound, ...broken], { direction: "higher" }).passed).toBe(true);
});

test("ties with the worst of the baseline are not below it", () => {
  const [one] = promptGate(prompts(1, { scores: many(30, 0), against: many(10, 0) }), {
    direction: "higher",
  }).perPrompt;
  expect(one).toMatchObject({ below: 0, state: "passed" });
});

test("a demanded share is tested by itself, and takes fewer scores", () => {
  const against = { threshold: 0.5, allowance: 0.1 };
  const fewest = fewestToFail(against, 20_000) ?? 0;
  expect(fewest).toBeLessThan(fewestToFail(many(10, 0), 20_000) ?? 0);
  const judged = (scores: readonly number[]) =>
    promptGate(prompts(200, { scores, against }), { direction: "higher" }).perPrompt[0]?.state;
  expect(judged(many(fewest, 0))).toBe("failed");
  expect(judged([...many(fewest, 1), 0])).toBe("passed");
  expect(judged([...many(fewest - 2, 1), 0, 0])).toBe("open");
});

test("a gate in which nothing can fail is refused; prompts with too few scores are open and said", () => {
  expect(() =>
    promptGate(prompts(200, { scores: [0], against: [1] }), { direction: "higher" }),
  ).toThrow(/per-prompt/);
  const gate = promptGate(
    [
      ...prompts(1, { scores: many(20, 1), against: many(20, 1) }),
      ...prompts(1, { prompt: "few", scores: [0], against: [1], unscored: 2 }),
      ...prompts(1, { model: "other", scores: [1], against: [1] }),
    ],
    { direction: "higher" },
  );
  expect(gate.perPrompt.find(({ prompt }) => prompt === "few")?.state).toBe("open");
  expect(gate.passed).toBe(false);
  expect(gate.cautions.join()).toMatch(/other.*2 of 3.*2 unscored/);
});
