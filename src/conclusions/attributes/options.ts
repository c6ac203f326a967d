import type { Arguments } from "../../core/options.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  threshold: {
    kind: "number",
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description: "probabilities at or above it count as yes",
  },
  ...intervalArguments,
} as const satisfies Arguments;
