import type { Arguments } from "../../../core/options.js";
import { outsideArguments } from "../../command-line/shared-arguments.js";
import { textsArgument } from "../../command-line/texts-argument.js";

/** Where the images of a table of items are, and what its columns are called. */
export const itemTableArguments = {
  images: {
    kind: "text",
    value: "DIR",
    description: "the folder of the images (default: the table's folder)",
  },
  ...textsArgument,
  ...outsideArguments,
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "read NAME from another column: caption=prompt_text",
  },
} as const satisfies Arguments;
