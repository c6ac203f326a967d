import { expect, test } from "vitest";
import type { GroupedRow } from "../../analysis/inference/grouped-samples.js";
import { randomFrom } from "../../core/random.js";
import { groupedSwapTest } from "./reference-correlations.js";

/** Prompts with two images each: the first metric knows what is right, the second nothing. */
function rowsOf(prompts: number): GroupedRow[] {
  const random = randomFrom(0, "rows");
  return Array.from({ length: prompts * 2 }, (_, at) => {
    const hits = random.integer(7);
    return {
      id: String(at).padStart(3, "0"),
      prompt: `p${at >> 1}`,
      counts: [hits, 0, 6 - hits] as const,
      scores: [10 * hits + random.next(), random.next()],
    };
  });
}

const tested = (rows: readonly GroupedRow[], places: readonly [number, number] = [0, 1]) =>
  groupedSwapTest(rows, {
    places,
    measure: "spearman",
    target: "f1",
    groups: 8,
    seeds: 2,
    unit: "description",
    random: randomFrom(0, "swaps"),
  });

test("tells a metric that knows from one that guesses, where prompts are enough", () => {
  const { p, restsOn } = tested(rowsOf(10));
  expect(p).toBeLessThan(0.05);
  expect(restsOn).toBe("10 descriptions");
  expect(tested(rowsOf(24)).p).toBeLessThan(0.01);
  // Of five all ways of swapping are 16, of which two at most lie as far: the one found and none.
  expect(tested(rowsOf(5)).p).toBeGreaterThanOrEqual(1 / 16);
});

test("p is as small as many claims ask for, and two that are alike are drawn no longer than it takes", () => {
  expect(tested(rowsOf(24)).p).toBeLessThan(0.001);
  const guesses = rowsOf(24).map((row, at) => ({ ...row, scores: [at % 7, (at * 5) % 11] }));
  const { p } = tested(guesses);
  // Stopped at the twentieth that lies as far.
  expect(20 / p).toBeCloseTo(Math.round(20 / p), 9);
  expect(p).toBeGreaterThan(0.05);
});

test("metrics that say the same in other units are not told apart, whichever comes first", () => {
  const rows = rowsOf(9).map((row) => ({
    ...row,
    scores: [row.scores[0] ?? 0, 3 * (row.scores[0] ?? 0) - 7],
  }));
  expect(tested(rows).p).toBe(1);
  const some = rowsOf(8);
  expect(tested(some, [1, 0]).p).toBeCloseTo(tested(some).p, 12);
});

test("says nothing where there are fewer images than groups", () => {
  expect(tested(rowsOf(3)).p).toBe(1);
});
