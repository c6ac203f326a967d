import type { Arguments } from "../../core/options.js";
import { wideArguments } from "../pair-columns.js";
import { intervalArguments, tieArguments } from "../shared-options.js";

export const options = {
  ...wideArguments(["original", "swapped"]),
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "which scores are better",
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;
