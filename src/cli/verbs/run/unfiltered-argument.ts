import type { Arguments } from "../../command-line/arguments.js";

/** Lets conclusions be about all images of a run that has a filter. */
export const unfilteredArgument = {
  unfiltered: {
    kind: "switch",
    description:
      "of a run with a filter: conclude from all images instead of those that it kept; of attribute " +
      "confusion: instead of those that show their descriptions",
  },
} as const satisfies Arguments;
