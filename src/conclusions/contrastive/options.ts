import { scoreScales } from "../../analysis/pairs/score-scale.js";
import type { Arguments } from "../../core/options.js";
import { wideArguments } from "../pair-columns.js";
import { intervalArguments, tieArguments } from "../shared-options.js";

export const options = {
  ...wideArguments(["correct", "adversarial"]),
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "which scores are better",
  },
  scale: {
    kind: "choice",
    choices: scoreScales,
    default: "none",
    description: "how scores are scaled to [0, 1] for means and margins; rankings use raw scores",
  },
  range: {
    kind: "text",
    repeated: true,
    value: "[METRIC=]LOW,HIGH",
    description: "the lowest and highest possible score, for --scale range",
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;
