import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { type AnswerRow, experimentAnswers } from "./answers.js";
import { imageGroups } from "./image-groups.js";

const kinds = 3;
/** Three kinds of image, each with a prompt that alone is right on it. */
const rows = Array.from({ length: 360 }, (_, at): AnswerRow => {
  const random = randomFrom("groups", at);
  const kind = at % kinds;
  const label = random.chance(0.5) ? 1 : 0;
  const right = label === 1 ? 0.95 : 0.05;
  return {
    id: `kind ${kind}, ${at}`,
    // Two pairs of each caption.
    group: `caption ${Math.floor(at / 2 / kinds)} ${kind}`,
    label,
    probabilities: Array.from({ length: kinds }, (__, prompt) =>
      prompt === kind ? right : 1 - right,
    ),
    embedding: Array.from(
      { length: kinds },
      (__, place) => (place === kind ? 1 : 0) + 0.1 * random.next(),
    ),
  };
});
const options = {
  clusters: kinds,
  labels: 30,
  objectives: ["global-entropy", "mixture"] as const,
  lambda: 1,
  temperature: 0.1,
  seed: 0,
  supportPerCluster: 256,
  restarts: 3,
  iterations: 100,
};

test("groups are the kinds of image, each with the prompt that is right on it", () => {
  const found = imageGroups(rows, experimentAnswers(rows), { ...options, nearest: 5, heaviest: 2 });
  expect(found?.groups).toHaveLength(kinds);
  expect(found?.labels).toBe(30);
  const met = new Set<number | undefined>();
  for (const { nearest, heaviest, support } of found?.groups ?? []) {
    const [kind = "", ...others] = nearest.map((id) => id.split(",")[0] ?? "");
    expect(new Set([kind, ...others]).size).toBe(1);
    expect(nearest).toHaveLength(5);
    // Each of another caption.
    const groups = nearest.map((id) => rows.find((row) => row.id === id)?.group);
    expect(new Set(groups).size).toBe(5);
    expect(heaviest[0]?.prompt).toBe(Number(kind.split(" ")[1]));
    expect(heaviest[0]?.weight).toBeGreaterThan(0.9);
    expect(heaviest).toHaveLength(2);
    expect(support).toBeGreaterThan(0);
    met.add(heaviest[0]?.prompt);
  }
  expect(met.size).toBe(kinds);
  const all = found?.groups.reduce((sum, { support }) => sum + support, 0);
  expect(all).toBeCloseTo(30, 9);
});

test("there are none without embeddings, or with fewer pairs than groups", () => {
  const bare = rows.map((row) => ({ ...row, embedding: null }));
  expect(imageGroups(bare, experimentAnswers(bare), options)).toBeUndefined();
  const answers = experimentAnswers(rows);
  expect(imageGroups(rows, answers, { ...options, clusters: 400 })).toBeUndefined();
});
