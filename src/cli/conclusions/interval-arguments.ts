import { intervalKinds } from "../../analysis/inference/intervals.js";
import type { Arguments } from "../command-line/arguments.js";

/** How intervals are to be made. */
export const intervalArguments = {
  interval: {
    kind: "choice",
    choices: intervalKinds,
    description:
      "the interval method (default: percentile; delta above 10,000 clusters, and for correlations " +
      "above 20,000 rows); t where few prompts decide; bca corrects bias and skew",
  },
  resamples: {
    kind: "number",
    integer: true,
    minimum: 100,
    maximum: 1_000_000,
    default: 2000,
    description: "resamples of the bootstrap",
  },
  seed: {
    kind: "number",
    integer: true,
    minimum: 0,
    default: 0,
    description: "the random seed of the bootstrap",
  },
} as const satisfies Arguments;
