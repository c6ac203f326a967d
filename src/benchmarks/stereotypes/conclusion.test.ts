import { describe, expect, it } from "vitest";
import { loadPublishedStereotypes } from "./conclusion.js";

const { index, judge, preferences } = loadPublishedStereotypes();
const phases = ["initial", "refined"] as const;
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const meanOf = (
  { models }: (typeof judge.rows)[number] | (typeof index.rows)[number],
  phase: (typeof phases)[number],
) => mean(Object.values(models).map((model) => model[phase]));

describe("the paper's figures", () => {
  it("have an index over all models that is their mean, to the paper's rounding", () => {
    for (const row of index.rows) {
      // Each is rounded to 0.01, the mean of three and the figure printed.
      for (const phase of phases) {
        expect(Math.abs(meanOf(row, phase) - row.overall[phase])).toBeLessThan(0.0101);
      }
    }
    expect(index.rows.reduce((sum, { queries }) => sum + queries, 0)).toBe(100);
  });

  it("have falls that are those of the index over all models", () => {
    for (const { overall, drop } of index.rows) {
      expect((100 * (overall.initial - overall.refined)) / overall.initial).toBeCloseTo(drop, 2);
    }
  });

  it("have a judge's accuracy over all models that is their mean, but another mean in the text", () => {
    for (const row of judge.rows) {
      for (const phase of phases) expect(meanOf(row, phase)).toBeCloseTo(row.overall[phase], 1);
    }
    const overall = mean(judge.rows.flatMap((row) => phases.map((phase) => row.overall[phase])));
    expect(overall).toBeCloseTo(87.69, 2);
    expect(judge.mean).toBe(88.39);
  });

  it("have preferences that are whole comparisons", () => {
    const { comparisons, initial, refined, neither } = preferences;
    for (const [percent, count] of [
      [refined, 72],
      [initial, 66],
      [neither, 15],
    ] as const) {
      expect((100 * count) / comparisons).toBeCloseTo(percent, 2);
    }
    expect(initial + refined + neither).toBeCloseTo(100, 9);
  });
});
