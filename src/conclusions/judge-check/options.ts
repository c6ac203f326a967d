import type { Arguments } from "../../core/options.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  family: {
    kind: "text",
    value: "NAME,…",
    description:
      "generators of the judge's own family, as a and b name them: does it favour their images beyond people?",
  },
  raters: {
    kind: "text",
    value: "A,B,…",
    description:
      "one column for each person, beside human or in its place: is the judge as good as one rater?",
  },
  "fail-on": {
    kind: "choice",
    choices: ["defect", "caution"],
    description: "exit 4 if there is such a finding (caution: either)",
  },
  ...intervalArguments,
} as const satisfies Arguments;
