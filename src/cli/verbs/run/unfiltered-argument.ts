import type { Arguments } from "../../../core/options.js";

/** Lets conclusions be about all images of a run that has a filter. */
export const unfilteredArgument = {
  unfiltered: {
    kind: "switch",
    description:
      "for a run with a filter: use all images, not only those that passed; for attribute " +
      "confusion: not only those that show their descriptions",
  },
} as const satisfies Arguments;
