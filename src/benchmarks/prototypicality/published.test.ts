import { describe, expect, it } from "vitest";
import { loadPublished } from "./published.js";

const published = loadPublished();
const sum = (values: Readonly<Record<string, number>>) =>
  Object.values(values).reduce((total, value) => total + value, 0);

describe("the paper's figures", () => {
  it("agree with each other where the paper's do", () => {
    const { size, retention } = published;
    expect(sum(size.prompts)).toBe(6275);
    expect(sum(size.prompts) * size.pairsPerPrompt).toBe(retention.pairs);
    expect(sum(retention.kept)).toBe(retention.keptInAll);
    expect((100 * retention.keptInAll) / retention.pairs).toBeCloseTo(retention.percent, 2);
  });

  it("have differences that are those of the means, to the paper's rounding", () => {
    for (const row of published.means.rows) {
      for (const domain of ["animals", "demography", "objects"] as const) {
        const { correct, adversarial, difference } = row[domain];
        expect(Math.abs(correct - adversarial - difference)).toBeLessThan(0.0151);
      }
    }
  });

  it("order the metrics as the paper does", () => {
    const rates = Object.fromEntries(
      published.failureRate.rows.map(({ metric, value }) => [metric, value]),
    );
    expect(rates).toMatchObject({
      CLIPScore: 71.62,
      PickScore: 70.2,
      ProtoScore: 31.6,
      "GPT-5": 24.07,
      people: 0,
    });
  });
});
