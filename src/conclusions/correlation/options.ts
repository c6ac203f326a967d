import { groupAverages } from "../../analysis/correlation/group-average.js";
import {
  countTargets,
  groupWeights,
  undefinedGroupRules,
} from "../../analysis/correlation/grouping.js";
import type { Arguments } from "../../core/options.js";
import { valuesArgument } from "../../tables/recoded-column.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  human: {
    kind: "text",
    value: "COLUMN",
    description: "the column with the human rating (higher is better); A,B averages several",
  },
  group: {
    kind: "text",
    value: "A,B",
    description: "also correlate within groups of rows that share these columns' values",
  },
  average: {
    kind: "choice",
    choices: groupAverages,
    description: "for --group: average in Fisher's z or directly (default: fisher)",
  },
  weight: {
    kind: "choice",
    choices: groupWeights,
    description: "for --group: weight groups equally or by their rows (default: equal)",
  },
  undefined: {
    kind: "choice",
    choices: undefinedGroupRules,
    description:
      "for --group: leave out groups without a coefficient, or count them as zero, in pairwise accuracy " +
      "as 0.5 (default left-out)",
  },
  "human-counts": {
    kind: "text",
    value: "TP,FP,FN",
    description:
      "use these three columns with human counts instead of --human, pooled in groups of items",
  },
  target: {
    kind: "choice",
    choices: countTargets,
    description: "for --human-counts: the reference computed from a group's counts (default: f1)",
  },
  groups: {
    kind: "number",
    integer: true,
    minimum: 3,
    description:
      "for --human-counts: the number of groups, equal in size to within 1 (default: 25)",
  },
  seeds: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1000,
    description:
      "for --human-counts: the number of random groupings that are averaged (default: 5)",
  },
  metrics: {
    kind: "text",
    value: "A,B",
    description:
      "the columns of the metrics (default: every numeric column except id, prompt and human " +
      "ratings or counts)",
  },
  icc: {
    kind: "switch",
    description: "also intraclass correlations, ICC(A,1) and ICC(C,1): scores in the ratings' unit",
  },
  plcc: {
    kind: "switch",
    description: "also Pearson's after a logistic function of the scores is fitted to the ratings",
  },
  partial: {
    kind: "text",
    value: "A,B",
    description: "also partial correlations that hold these columns of numbers constant",
  },
  williams: {
    kind: "switch",
    description: "also Williams' test of every two metrics, which takes rows for independent",
  },
  "tie-calibration": {
    kind: "switch",
    description: "also count human ties, and fit each metric's tie threshold",
  },
  ...valuesArgument,
  ...intervalArguments,
} as const satisfies Arguments;
