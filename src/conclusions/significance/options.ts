import { judgeMetrics } from "../../analysis/calibration/prediction-score.js";
import { swapUnits } from "../../analysis/calibration/significance.js";
import { adjustments } from "../../analysis/comparison/comparison-test.js";
import type { Arguments } from "../../core/options.js";
import { permutationsArgument, seedArgument } from "../shared-options.js";

export const options = {
  methods: {
    kind: "text",
    value: "A=COLUMN,B=COLUMN",
    description: "for a row per item: each method's column of probabilities",
  },
  metric: {
    kind: "choice",
    choices: judgeMetrics,
    description: "test only this metric (default: all)",
  },
  unit: {
    kind: "choice",
    choices: swapUnits,
    default: "item",
    description: "the unit that is swapped between judges",
  },
  adjust: {
    kind: "choice",
    choices: adjustments,
    default: "by",
    description: "adjusts the p-values of a metric for the number of tests",
  },
  permutations: permutationsArgument("permutations of each test"),
  seed: seedArgument("the random seed of the permutations"),
} as const satisfies Arguments;
