import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import type { AnswerRow } from "../ensemble/answers.js";
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
    resamples: 100,
    permutations: 100,
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

test("answers on degraded copies are told by kind", () => {
  // All prompts are right on blurred copies, and surely wrong on those with noise.
  const told = rows(13).map((row, at): AnswerRow => {
    const degradation = ["noise", "blur", undefined][at % 3];
    const said = degradation === "noise" ? 0.95 : 0.2;
    return row.label === null
      ? row
      : {
          ...row,
          ...(degradation === undefined ? {} : { degradation }),
          probabilities: row.probabilities.map(() => (row.label === 0 ? said : 1 - said)),
        };
  });
  const quick = { resamples: 100, permutations: 100 };
  const { cells, warnings } = noPreference(told, design, quick);
  for (const { copies, accuracy } of cells) {
    expect(copies).toMatchObject([
      { degradation: "blur", n: 13, accuracy: { value: 1, low: 1, high: 1 } },
      { degradation: "noise", n: 13, accuracy: { value: 0, low: 0, high: 0 } },
    ]);
    expect(copies[0]?.confidence.value).toBeCloseTo(0.8, 12);
    expect(copies[1]?.confidence.value).toBeCloseTo(0.95, 12);
    expect(accuracy.value).toBeCloseTo(26 / 39, 12);
  }
  expect(warnings).toEqual([
    "13 pairs of a degraded copy do not say how it was degraded: they are in no kind of copies",
  ]);
  expect(noPreference(rows(13), design, quick).cells.flatMap(({ copies }) => copies)).toEqual([]);
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

/** Always as sure: 0.8 of an equal pair. */
const pair = (caption: string, label: AnswerRow["label"], at: number): AnswerRow => ({
  id: `${caption} ${label} ${at}`,
  group: caption,
  label,
  probabilities: label === 0 ? [0.1, 0.4] : [0.8, 0.8],
  embedding: [1, at],
});

test("pairs that no label is left to judge by are unscored, and in no mean", () => {
  // All labels are of one caption: its fold has nothing to fit on.
  const some = [
    ...Array.from({ length: 12 }, (_, at) => pair("labelled", at % 2 === 0 ? 1 : 0, at)),
    ...Array.from({ length: 4 }, (_, at) => pair("labelled", null, at)),
    ...Array.from({ length: 4 }, (_, at) => pair("other", null, at)),
  ];
  const { cells, n, degraded, captions, unscored, warnings } = noPreference(
    some,
    { ...design, folds: 2 },
    { resamples: 50, permutations: 50 },
  );
  expect({ n, degraded, captions, unscored }).toEqual({
    n: 4,
    degraded: 0,
    captions: 1,
    unscored: 16,
  });
  for (const { confidence, accuracy } of cells) {
    expect(confidence.value).toBeCloseTo(0.8, 12);
    expect(accuracy).toMatchObject({ value: null, reason: "no such pair was judged" });
  }
  expect(warnings.join()).toContain("beside 16 pairs there are fewer than 5 with a label");
});

test("is refused where no equal pair could be judged", () => {
  const held = Array.from({ length: 6 }, (_, at) => pair("labelled", at % 2 === 0 ? 1 : 0, at));
  expect(() =>
    noPreference([...held, pair("labelled", null, 0), pair("other", 1, 0)], design),
  ).toThrow(
    "Expected at least 5 pairs with a label beside a fold that has pairs without one but received 1",
  );
});

test("numbers of labels that a fold has not are left out, and said", () => {
  const { design: used, warnings, cells } = noPreference(rows(5), { ...design, labels: [5, 50] });
  expect(used.labels).toEqual([5]);
  expect(new Set(cells.map(({ labels }) => labels))).toEqual(new Set([5]));
  expect(warnings.join()).toContain("too few pairs with a label for 50: beside a fold are 12");
});

test("says what is missing", () => {
  const labelled = rows(5).filter(({ label }) => label !== null);
  expect(() => noPreference(labelled, design)).toThrow(/received 0, 15 and 5/);
});
