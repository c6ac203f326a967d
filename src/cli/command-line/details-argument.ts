import type { Arguments } from "../../core/options.js";

/** The flag by which a verb prints what its short form leaves out. */
export const detailsArgument = {
  details: {
    kind: "switch",
    description: "print every finding, table, note and caveat, not only the first",
  },
} as const satisfies Arguments;
