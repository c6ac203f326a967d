import type { Arguments } from "../../core/options.js";
import { intervalArguments, tieArguments } from "../shared-options.js";

export const options = {
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "for a table: which scores are better",
  },
  ...tieArguments,
  resamples: intervalArguments.resamples,
  seed: {
    ...intervalArguments.seed,
    description: "the random seed of the lab's pictures and the bootstrap",
  },
} as const satisfies Arguments;
