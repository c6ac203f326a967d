import { expect, test } from "vitest";
import { groupedCorrelation } from "../../../analysis/correlation/grouped-correlation.js";
import type { EvaluatedMetric } from "../../../analysis/pairs/triplets.js";
import { loadPublishedConfusion } from "../../../benchmarks/attribute-confusion/published.js";
import { confusionCorrelation } from "./correlation.js";

function sectionOf(images: number): string {
  const rows = Array.from({ length: images }, (_, at) => ({
    id: `${at}`,
    counts: [at % 3, 1, 2] as const,
    scores: [at % 5],
  }));
  const table = { human: "the reference", metrics: ["vqa-score"], rows };
  const options = { target: "f1", groups: 25, seeds: 2, resamples: 10 } as const;
  const { conclusion: f1 } = groupedCorrelation(table, options);
  const metric: EvaluatedMetric = {
    id: "vqa-score",
    metric: "vqa-score",
    version: 1,
    model: "lab",
    statistic: "P(yes)",
    range: [0, 1],
    direction: "higher",
  };
  return confusionCorrelation({
    correlations: { f1, precision: f1, recall: f1 },
    standing: [metric],
    generators: [],
    published: loadPublishedConfusion(),
  }).toString();
}

test("fewer images than groups: a sentence in place of a table of dashes", () => {
  const few = sectionOf(16);
  expect(few).toContain("over 25 groups of images, and only 16 images have scores");
  expect(few).not.toContain("<b>Correlation with the reference</b>");
  expect(few).toContain("<b>The paper's correlations");
  const enough = sectionOf(50);
  expect(enough).toContain("<b>Correlation with the reference</b>");
  expect(enough).not.toContain("No correlation");
});
