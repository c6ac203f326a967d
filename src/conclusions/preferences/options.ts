import { preferenceUnits, raterKinds } from "../../analysis/preferences/preference-cells.js";
import type { Arguments } from "../../core/options.js";
import { tieModels } from "../../stats/bradley-terry.js";
import { valuesArgument } from "../../tables/recoded-column.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  ties: {
    kind: "choice",
    choices: tieModels,
    default: "half",
    description: "count a tie as half a win for each, or as an outcome of its own (Davidson 1970)",
  },
  prior: {
    kind: "number",
    minimum: 0,
    maximum: 1000,
    default: 0,
    value: "WINS",
    description: "add so many wins each way between any two models: 0.1 keeps strengths finite",
  },
  cluster: {
    kind: "choice",
    choices: preferenceUnits,
    description:
      "whose comparisons intervals take together (default: annotators, else prompts); both where " +
      "annotators share prompts (two-way)",
  },
  raters: {
    kind: "choice",
    choices: raterKinds,
    default: "alike",
    description: "take annotators as equally reliable, or each as reliable as found (Crowd-BT)",
  },
  ...valuesArgument,
  ...intervalArguments,
} as const satisfies Arguments;
