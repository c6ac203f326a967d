import { adjustments, comparisonTests } from "../../analysis/comparison/comparison-test.js";
import { labelSamplings } from "../../analysis/comparison/drawn-labels.js";
import type { Arguments } from "../../core/options.js";
import { answeredArgument } from "../answered.js";
import {
  directionArgument,
  intervalArguments,
  permutationsArgument,
  tieArguments,
} from "../shared-options.js";
import { marginArguments } from "./margin-options.js";

/** More of them are rarely models: the column holds ids, or names of images. */
export const mostModels = 100;

export const options = {
  scores: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for wide tables: the column with each model's scores",
  },
  humans: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for --scores: the column with human ratings of each model",
  },
  metric: {
    kind: "text",
    value: "NAME",
    description: "the metric to compare by, where the column metric names several",
  },
  direction: directionArgument,
  test: {
    kind: "choice",
    choices: comparisonTests,
    default: "sign-flip",
    description: "the paired two-sided test of prompt differences",
  },
  adjust: {
    kind: "choice",
    choices: adjustments,
    default: "holm",
    description: "adjusts p-values for the number of pairs",
  },
  permutations: permutationsArgument(
    "random sign flips above 20 prompts (up to 20, all are enumerated; above 10,000, their normal limit)",
  ),
  labels: {
    kind: "choice",
    choices: labelSamplings,
    default: "random",
    description: "how the labelled rows were selected; only random labels correct the metric",
  },
  ...answeredArgument,
  range: {
    kind: "text",
    value: "LOW,HIGH",
    description:
      "the metric's possible range, for bounds over unscored rows (default: the observed range)",
  },
  baseline: {
    kind: "text",
    value: "FILE",
    description: "exit 4 if a model became worse than in this file: a .json of compare, or a table",
  },
  "fail-under": {
    kind: "number",
    description: "exit 4 if a mean is below N; with --baseline, if a change is below N",
  },
  ...marginArguments,
  gate: {
    kind: "choice",
    choices: ["per-prompt"],
    description:
      "exit 4 if a prompt falls below its own threshold more often than allowed: columns threshold and allowance, else " +
      "its scores in --baseline; at most 1 % of builds fail by chance",
  },
  "images-at": {
    kind: "text",
    value: "URL",
    description:
      "for --gate: where readers of the Markdown find the images, as a start of their addresses",
  },
  "many-models": {
    kind: "switch",
    description: `also compare more than ${mostModels} models; time grows with the number of pairs`,
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;
