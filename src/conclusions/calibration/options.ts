import type { Arguments } from "../../core/options.js";
import { binnings } from "../../stats/reliability-bins.js";
import { answeredArgument } from "../answered.js";
import { judgeIntervalArguments, targetErrorArgument } from "../shared-options.js";

export const options = {
  bins: {
    kind: "choice",
    choices: binnings,
    default: "equal-width",
    description: "bins of equal width, or with equally many rows",
  },
  "bin-count": {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: "how many bins",
  },
  "target-error": { ...targetErrorArgument, minimum: 0.001, maximum: 0.999 },
  ...answeredArgument,
  ...judgeIntervalArguments,
} as const satisfies Arguments;
