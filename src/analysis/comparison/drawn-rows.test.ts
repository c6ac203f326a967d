import { expect, test } from "vitest";
import { comparison } from "./comparison.js";
import { type ComparisonRow, inColumns } from "./comparison-samples.js";

const settings = { resamples: 50, permutations: 50 };

/** Rows of models a and b, with what people find of some; a weight that is no number was not drawn. */
function drawnColumns(
  prompts: readonly {
    readonly scores: readonly [a: number, b: number];
    readonly humans?: readonly [a: number, b: number];
    readonly weight: number;
  }[],
) {
  const rows = prompts.flatMap(({ scores, humans }, at) =>
    ["a", "b"].map(
      (model, side): ComparisonRow => ({
        model,
        prompt: `${at}`,
        score: scores[side] ?? null,
        human: humans?.[side],
      }),
    ),
  );
  const weight = Float64Array.from(rows, (_, at) => prompts[at >> 1]?.weight ?? Number.NaN);
  const draws = {
    weight,
    stratum: new Int32Array(rows.length),
    round: new Float64Array(rows.length).fill(1),
  };
  return { ...inColumns(rows), draws };
}

const differences = [0.1, 0.3, -0.2, 0.4, 0.2, 0.25];
const weightOf = (at: number) => (at % 2 === 0 ? 1 : 3);
const drawn = drawnColumns(
  differences.map((each, at) => ({ scores: [0.5 + each, 0.5], weight: weightOf(at) })),
);

test("d_z of drawn rows is the weighted mean over the weighted deviation", () => {
  const [pair] = comparison(drawn, settings).pairs;
  const all = differences.flatMap((each, at) => Array.from({ length: weightOf(at) }, () => each));
  const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
  const spread = all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / all.length;
  expect(pair?.difference.value).toBeCloseTo(mean, 12);
  expect(pair?.cohensDz).toBeCloseTo(mean / Math.sqrt((spread * 6) / 5), 9);
});

test("Wilcoxon's test knows no weights", () => {
  expect(() => comparison(drawn, { ...settings, test: "wilcoxon" })).toThrow("draw weights");
});

test("rows are said to be weighted where all were drawn, and not where labels were", () => {
  expect(comparison(drawn, settings).weighted).toContain("1 / probability");
  const some = drawnColumns([
    { scores: [1, 2], humans: [1, 2], weight: 2 },
    { scores: [2, 1], weight: Number.NaN },
  ]);
  const found = comparison(some, settings);
  expect(found.weighted).toBeUndefined();
  expect(found.humanCorrected?.sampling).toBe("planned");
});

test("labels are still needed where the interval holds 50 %, though its end lies below 0", () => {
  const labelled = 10;
  const found = comparison(
    drawnColumns(
      Array.from({ length: 60 }, (_, at) => ({
        scores: [((at * 7) % 10) / 10, ((at * 3) % 10) / 10],
        ...(at < labelled && { humans: [at === 0 ? 1 : 0, 0.5] as const }),
        weight: at >= labelled ? Number.NaN : at === 0 ? 15 : 5,
      })),
    ),
    settings,
  );
  const [pair] = found.humanCorrected?.pairs ?? [];
  expect(pair?.winRate.low).toBe(0);
  expect(pair?.winRate.high).toBeGreaterThan(0.5);
  expect(pair?.labelsNeeded.winRate).not.toBe(0);
});
