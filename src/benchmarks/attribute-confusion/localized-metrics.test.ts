import { expect, test } from "vitest";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { exchangedParts, localizedMetrics, standingFor } from "./localized-metrics.js";

const metric = (convention: string, model: string): EvaluatedMetric => ({
  id: `${convention} ${model}`,
  metric: "localized-vqa-score",
  version: 1,
  convention,
  model,
  statistic: "F1",
  range: [0, 1],
  direction: "higher",
});

const metrics = [
  metric("f1:blurring+cropping:paper", "test:a@1 + test:finder@2"),
  metric("f1:none:paper", "test:a@1"),
  metric("f1:masking:reference", "test:a@1 + test:finder@2"),
  metric("f1:blurring+cropping:paper", "test:b@1 + test:finder@2"),
  metric("f1:blurring+cropping:paper", "test:a@1 + test:other@3"),
  metric("f1:blurring+cropping:paper", "test:both@1"),
];

test("what each has in place of another's parts; on the whole image nobody finds anything", () => {
  const [base, ...others] = localizedMetrics(metrics);
  expect(others.map((one) => base && exchangedParts(one, base))).toEqual([
    [{ part: "strategy", value: "none" }],
    [
      { part: "strategy", value: "masking" },
      { part: "leakage questions", value: "as in the reference" },
    ],
    [{ part: "answerer", value: "test:b" }],
    [{ part: "localiser", value: "test:other" }],
    [
      { part: "answerer", value: "test:both" },
      { part: "localiser", value: "test:both" },
    ],
  ]);
});

test("with every answerer the first localiser of the published way stands for the name", () => {
  const standing = standingFor(metrics, localizedMetrics(metrics));
  expect(standing).toEqual([metrics[0], metrics[3], metrics[5]]);
});
