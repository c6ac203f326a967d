import { expect, test } from "vitest";
import { labConfusion } from "../../../../packages/lab/src/confusion-experiment.js";
import { labExperiment } from "../../../../packages/lab/src/lab-experiment.js";
import { judgeOutline } from "../../../../packages/lab/src/verbs/demo/judge-chapter.js";
import { outlineOf } from "./collect.js";

test("people are told what is done, of which models, and never an id", () => {
  const main = outlineOf(labExperiment({ size: "full", seed: 1 }).steps);
  expect(main.map(({ title }) => title)).toEqual([
    "Candidates for prompts",
    "Painting pictures",
    "Filtering pictures",
    "Comparing pictures with the truth",
    "Scoring: clip-score hessel with lab:dual-encoder-skewed",
    "Scoring: clip-score hessel with lab:dual-encoder-balanced",
    "Scoring: vqa-score with lab:vqa",
    "Scoring: mllm-rating json with lab:rater",
    "Scoring: proto-score expected-or-written with lab:proto-score",
  ]);
  for (const { id, title } of judgeOutline()) expect(title).not.toBe(id);
  const generator = { model: "lab:painter-slight@skew0.2" };
  const others = outlineOf([
    {
      name: "audit-refined",
      version: 1,
      part: "lab-painter-slight",
      parameters: { generator },
      asks: ["m"],
    },
    {
      name: "judge-images",
      version: 1,
      part: "m-1",
      parameters: { round: 2 },
      asks: ["m at http://host/v1"],
    },
    { name: "unheard-of", version: 1, part: "m" },
  ]);
  expect(others.map(({ title }) => title)).toEqual([
    "Looking for stereotypes again (lab:painter-slight)",
    "Judging images, round 2 (m)",
    "unheard-of-m",
  ]);
});

test("who looks at crops that another looked at before costs less", () => {
  const steps = outlineOf(labConfusion({ size: "full", seed: 1 }).steps);
  const costOf = (end: string) => steps.find(({ title }) => title.includes(end))?.cost;
  expect(costOf("f1:blurring+cropping:paper with lab:vqa + lab:localizer")).toBe(60);
  expect(costOf("precision:blurring+cropping:paper")).toBe(13);
  expect(costOf("f1:none:paper")).toBe(13);
  expect(costOf("f1:masking:paper")).toBe(60);
});
