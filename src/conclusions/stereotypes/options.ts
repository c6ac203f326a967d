import type { Arguments } from "../../core/options.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  experts: {
    kind: "text",
    value: "A,B",
    description:
      "one column for each expert, instead of the column expert; the majority is the reference",
  },
  ...intervalArguments,
} as const satisfies Arguments;
