import { expect, test } from "vitest";
import { groupedCorrelation } from "../../analysis/correlation/grouped-correlation.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { loadPublishedConfusion } from "./conclusion.js";
import { correlationChapter } from "./swap-view.js";

function titlesOf(images: number): (string | undefined)[] {
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
  const { parts } = correlationChapter({
    correlations: { f1, precision: f1, recall: f1 },
    standing: [metric],
    generators: [],
    published: loadPublishedConfusion(),
  });
  return parts.map((part) =>
    typeof part === "object" && "columns" in part ? part.title : undefined,
  );
}

test("fewer images than groups: a sentence in place of a table of dashes", () => {
  const table = "Correlation with the reference";
  expect(titlesOf(16)).not.toContain(table);
  expect(titlesOf(50)).toContain(table);
});
