import { raterModels } from "../../analysis/raters/rater-models.js";
import type { Arguments } from "../../core/options.js";
import { options as agreement } from "../agreement/options.js";
import { seedArgument } from "../shared-options.js";

export const options = {
  model: {
    kind: "choice",
    choices: ["auto", ...raterModels],
    default: "auto",
    description: "how raters err (default: the model that foretells answers it has not seen best)",
  },
  categories: agreement.categories,
  raters: agreement.raters,
  values: agreement.values,
  resamples: {
    kind: "number",
    integer: true,
    minimum: 50,
    maximum: 10_000,
    default: 200,
    description: "resamples of items, the model fitted to each",
  },
  seed: seedArgument("the random seed of resamples and of what is held out"),
} as const satisfies Arguments;
