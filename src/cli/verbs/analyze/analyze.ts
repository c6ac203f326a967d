import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed.",
  verbs: [
    {
      name: "contrastive",
      summary: "measure how often metrics prefer the wrong image of a pair",
      load: () => import("./analyze-contrastive.js"),
    },
    {
      name: "swap",
      summary: "measure how often metrics prefer a description with swapped attributes",
      load: () => import("./analyze-swap.js"),
    },
    {
      name: "correlation",
      summary: "correlate metrics with human ratings",
      load: () => import("./analyze-correlation.js"),
    },
    {
      name: "preferences",
      summary: "rank models by people's preferences (Bradley-Terry)",
      load: () => import("./analyze-preferences.js"),
    },
    {
      name: "agreement",
      summary: "measure how far annotators agree (Cohen, Fleiss, Krippendorff)",
      load: () => import("./analyze-agreement.js"),
    },
    {
      name: "calibration",
      summary: "measure the calibration of yes-or-no probabilities",
      load: () => import("./analyze-calibration.js"),
    },
    {
      name: "attributes",
      summary: "measure whether attributes are on the right entities",
      load: () => import("./analyze-attributes.js"),
    },
    {
      name: "stereotypes",
      summary: "measure how much refined prompts lower the stereotype index",
      load: () => import("./analyze-stereotypes.js"),
    },
    {
      name: "ensemble",
      summary: "compare ways to combine several prompts into one judge",
      load: () => import("./analyze-ensemble.js"),
    },
    {
      name: "significance",
      summary: "test whether the best of several judges is significantly better",
      load: () => import("./analyze-significance.js"),
    },
  ],
});
