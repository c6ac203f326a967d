import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import type { AnswerRow } from "./ensemble-experiment-answers.js";
import { noPreference, paperNoPreference } from "./no-preference.js";

const design = {
  ...paperNoPreference,
  prompts: [2],
  labels: [5],
  clusters: 2,
  seeds: { training: 1, labels: 3 },
  objectives: ["mixture" as const],
  lambda: 1,
  temperature: 0.1,
  seed: 0,
};

/** The first prompt knows that equal pairs are equal, the second is always sure. */
function rows(captions: number): AnswerRow[] {
  const random = randomFrom(2, "equal pairs");
  return Array.from({ length: captions * 6 }, (_, at) => {
    const isEqual = at % 2 === 0;
    const first = random.chance(0.5);
    const right = first ? 0.9 : 0.1;
    return {
      id: `${at}`,
      group: `caption ${at % captions}`,
      label: isEqual ? null : first ? 1 : 0,
      probabilities: isEqual ? [0.5, right] : [right, random.chance(0.6) ? right : 1 - right],
      embedding: [random.next(), random.next()],
    };
  });
}

test("confidence is the mean over equal pairs, accuracy that over degraded ones", () => {
  const { cells, n, degraded, captions, folds } = noPreference(rows(13), design, {
    ...{ resamples: 100, permutations: 100 },
  });
  expect({ n, degraded, captions, folds }).toEqual({
    n: 39,
    degraded: 39,
    captions: 13,
    folds: 10,
  });
  const of = (name: string) => cells.find(({ method }) => method === name);
  expect(of("standard")?.confidence.value).toBeCloseTo(0.7, 12);
  expect(of("average")?.confidence.value).toBeCloseTo(0.7, 12);
  // The prompt that labels speak for is the first.
  expect(of("best")?.confidence.value).toBeLessThan(0.6);
  expect(of("mmb mixture")?.confidence.value).toBeLessThan(0.7);
  expect(of("best")?.accuracy.value).toBeGreaterThan(0.9);
  expect(cells.filter(({ isBest }) => isBest)).toHaveLength(1);
});

test("labels of a caption are never seen by weights that judge it", () => {
  // Each caption has a prompt of its own that is right on it, and wrong on all others.
  const captions = 4;
  const own: AnswerRow[] = Array.from({ length: captions * 8 }, (_, at) => {
    const caption = at % captions;
    const label = at % 8 < 4 ? null : at % 3 === 0 ? 1 : 0;
    const right = label === 1 ? 0.99 : 0.01;
    return {
      id: `${at}`,
      group: `caption ${caption}`,
      label,
      probabilities: Array.from({ length: captions }, (__, prompt) =>
        label === null ? 0.5 : prompt === caption ? right : 1 - right,
      ),
      embedding: [1, caption],
    };
  });
  const { cells } = noPreference(
    own,
    { ...design, prompts: [captions], clusters: 1 },
    { resamples: 50, permutations: 50 },
  );
  expect(cells.find(({ method }) => method === "best")?.accuracy.value).toBe(0);
});

test("says what is missing", () => {
  const labelled = rows(5).filter(({ label }) => label !== null);
  expect(() => noPreference(labelled, design)).toThrow(/received 0, 15 and 5/);
});
