import type { Arguments } from "../../core/options.js";

/** Flag of verbs that open images which a table or a folder names. */
export const outsideArguments = {
  "allow-outside": {
    kind: "switch",
    description: "also open images outside the table's folder: absolute paths, .. and links",
  },
} as const satisfies Arguments;
