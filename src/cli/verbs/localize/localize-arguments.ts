import type { Arguments } from "../../../core/options.js";
import { localizationStrategies } from "../../../images/localize.js";
import { textsArgument } from "../../command-line/texts-argument.js";
import { limitArguments } from "../run/limits.js";

export const localizeArguments = {
  image: {
    kind: "positional",
    description:
      "the image file; or a folder of images, a table, WebDataset shards (.tar) or Parquet with images, " +
      "for many at once",
  },
  mask: { kind: "text", value: "FILE", description: "the mask as an image file, light inside" },
  entity: {
    kind: "text",
    repeated: true,
    value: "NAME",
    description:
      "the entity to find, with --model; of many images what to find in each, by default what the " +
      "column entities or the text of its row names",
  },
  model: {
    kind: "text",
    value: "PROVIDER:MODEL",
    description: "the model that finds --entity, in place of --mask",
  },
  strategy: {
    kind: "choice",
    choices: localizationStrategies,
    default: "blurring+cropping",
    value: "STRATEGY",
    description: "how the image is changed",
  },
  out: {
    kind: "text",
    value: "FILE",
    required: true,
    description:
      "the file to write (.png); of many images the folder, whose masks.jsonl --model masks:DIR reads",
  },
  ...textsArgument,
  "skip-bad": {
    kind: "switch",
    description: "of many images: list rows that name no entity to find, and go on with the others",
  },
  overlay: {
    kind: "text",
    value: "FILE",
    description: "also write the image with the mask and its box drawn on it (.png)",
  },
  ...limitArguments,
} as const satisfies Arguments;
