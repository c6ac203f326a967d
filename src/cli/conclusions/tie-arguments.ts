import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { Arguments } from "../command-line/arguments.js";

/** Which two scores count as the same. */
export const tieArguments = {
  "tie-tolerance": {
    kind: "number",
    minimum: 0,
    maximum: 1,
    value: "T",
    description:
      "scores within T (relative) count as ties (default: 1e-6, the rounding of 32-bit " +
      "arithmetic); 0: only equal scores tie",
  },
} as const satisfies Arguments;

interface GivenTies {
  readonly "tie-tolerance": number | undefined;
}

export const tieOptions = ({ "tie-tolerance": tieTolerance }: GivenTies): TieOptions => ({
  tieTolerance,
});
