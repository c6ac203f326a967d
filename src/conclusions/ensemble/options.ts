import { resampledIntervals } from "../../analysis/calibration/calibration.js";
import type { Arguments } from "../../core/options.js";
import { objectives } from "../../ensembles/weight-problem.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  objective: {
    kind: "choice",
    choices: [...objectives, "auto"],
    default: "auto",
    description: "the objective that weights are fitted by",
  },
  lambda: {
    kind: "number",
    minimum: 1e-6,
    maximum: 1e6,
    description: "the weight of the entropy (default: 1); --objective auto chooses it",
  },
  clusters: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1024,
    description: "the number of image groups (default: chosen by leaving labels out)",
  },
  temperature: {
    kind: "number",
    minimum: 1e-6,
    maximum: 1e6,
    description: "the temperature of the membership (default: chosen by leaving labels out)",
  },
  restarts: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1000,
    default: 3,
    description: "restarts of the clustering",
  },
  interval: {
    kind: "choice",
    choices: resampledIntervals,
    default: "percentile",
    description: "bca corrects bias and skew",
  },
  resamples: intervalArguments.resamples,
  permutations: {
    kind: "number",
    integer: true,
    minimum: 100,
    maximum: 1_000_000,
    default: 10_000,
    description: "permutations of each test against the best",
  },
  seed: {
    kind: "number",
    integer: true,
    minimum: 0,
    default: 0,
    description: "the random seed of clustering, bootstrap and tests",
  },
} as const satisfies Arguments;
