import type { Arguments } from "../../core/options.js";
import { objectives } from "../../ensembles/weight-problem.js";
import { judgeIntervalArguments, permutationsArgument, seedArgument } from "../shared-options.js";

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
  interval: judgeIntervalArguments.interval,
  resamples: judgeIntervalArguments.resamples,
  permutations: permutationsArgument("permutations of each test against the best"),
  seed: seedArgument("the random seed of clustering, bootstrap and tests"),
} as const satisfies Arguments;
