import { planAims } from "../../analysis/label-plan/plan-units.js";
import type { Arguments } from "../../core/options.js";
import { answeredArgument } from "../answered.js";
import { seedArgument } from "../shared-options.js";

export const options = {
  for: {
    kind: "choice",
    choices: planAims,
    default: "compare",
    description:
      "which interval to narrow: of a win rate of two models (compare), of a mean rating (rate), of a judge's " +
      "accuracy at its threshold of 0.5 (threshold)",
  },
  budget: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1_000_000,
    default: 100,
    description: "at most so many items to ask about: of compare prompts, each with all its models",
  },
  width: {
    kind: "number",
    minimum: 0,
    value: "W",
    description:
      "the wanted width of the 95 % interval, such as 0.2: choose no more items than that takes, none where it is reached",
  },
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    description: "which scores are better (default: the column direction, else higher)",
  },
  ...answeredArgument,
  seed: seedArgument("the random seed of the draw"),
} as const satisfies Arguments;
