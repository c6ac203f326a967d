import { commandGroup } from "../../command-line/command.js";
import { concluding } from "../../conclusions/concluding.js";

export default commandGroup({
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone example agreement | touchstone analyze agreement - --scale ordinal",
  ],
  verbs: [
    {
      name: "contrastive",
      summary: "measure how often metrics prefer the wrong image of a pair",
      load: concluding(() => import("./analyze-contrastive.js")),
    },
    {
      name: "swap",
      summary: "measure how often metrics prefer a description with swapped attributes",
      load: concluding(() => import("./analyze-swap.js")),
    },
    {
      name: "correlation",
      summary: "correlate metrics with human ratings",
      load: concluding(() => import("./analyze-correlation.js")),
    },
    {
      name: "preferences",
      summary: "rank models by people's preferences (Bradley-Terry)",
      load: concluding(() => import("./analyze-preferences.js")),
    },
    {
      name: "agreement",
      summary: "measure how far annotators agree (Cohen, Fleiss, Krippendorff)",
      load: concluding(() => import("./analyze-agreement.js")),
    },
    {
      name: "calibration",
      summary: "measure the calibration of yes-or-no probabilities",
      load: concluding(() => import("./analyze-calibration.js")),
    },
    {
      name: "attributes",
      summary: "measure whether attributes are on the right entities",
      load: concluding(() => import("./analyze-attributes.js")),
    },
    {
      name: "stereotypes",
      summary: "measure how much refined prompts lower the stereotype index",
      load: concluding(() => import("./analyze-stereotypes.js")),
    },
    {
      name: "ensemble",
      summary: "compare ways to combine several prompts into one judge",
      load: concluding(() => import("./analyze-ensemble.js")),
    },
    {
      name: "significance",
      summary: "test whether the best of several judges is significantly better",
      load: concluding(() => import("./analyze-significance.js")),
    },
  ],
});
