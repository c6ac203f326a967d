import type { Arguments } from "../../core/options.js";
import { ratingScales } from "../../stats/krippendorff-alpha.js";
import { valuesArgument } from "../../tables/recoded-column.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  scale: {
    kind: "choice",
    choices: ratingScales,
    required: true,
    description: "the level of measurement: categories, ordered categories, or numbers",
  },
  categories: {
    kind: "text",
    value: "A,B,C",
    description: "all categories, in order (default: the values found, sorted)",
  },
  raters: {
    kind: "text",
    value: "A,B",
    description: "one column for each annotator, instead of the columns annotator and value",
  },
  ...valuesArgument,
  resamples: intervalArguments.resamples,
  seed: intervalArguments.seed,
} as const satisfies Arguments;
