import type { Arguments } from "../../core/options.js";
import { textPlaces } from "../../files/folder-texts/folder-texts.js";
import { outsideArguments } from "./shared-arguments.js";

/** Flag of verbs that read a folder of images with their texts. */
export const textsArgument = {
  texts: {
    kind: "choice",
    choices: textPlaces,
    description:
      "where the texts of a folder without metadata are: one for all images of each folder, beside each image " +
      "(0.txt), in the names, in the images (PNG, JPEG, WebP) as generators write them, or in the rows of a table in " +
      "the order of the images' numbers (default: the one of the first four that has all texts)",
  },
} as const satisfies Arguments;

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
