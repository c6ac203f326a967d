import type { Positional } from "../../core/options.js";

/** The run that a verb reads. */
export const runArgument = {
  kind: "positional",
  flag: "run",
  description: "the folder of the run (or: --run RUN)",
} as const satisfies Positional;
