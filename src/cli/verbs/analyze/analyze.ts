import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "Draws conclusions from a table of scores that are there already: no model, no key, no server.",
  verbs: [
    {
      name: "contrastive",
      summary: "how often metrics prefer the wrong image of a pair, and by how much",
      load: () => import("./analyze-contrastive.js"),
    },
    {
      name: "swap",
      summary: "how often metrics prefer a description with its attributes swapped",
      load: () => import("./analyze-swap.js"),
    },
    {
      name: "correlation",
      summary: "how well metrics follow people's ratings",
      load: () => import("./analyze-correlation.js"),
    },
    {
      name: "agreement",
      summary: "how far annotators agree: Cohen, Fleiss, Krippendorff, each pair",
      load: () => import("./analyze-agreement.js"),
    },
    {
      name: "calibration",
      summary: "whether probabilities of yes-or-no answers can be believed",
      load: () => import("./analyze-calibration.js"),
    },
    {
      name: "attributes",
      summary: "whether attributes stand on the entities they were meant for",
      load: () => import("./analyze-attributes.js"),
    },
    {
      name: "stereotypes",
      summary: "by how much refined prompts lower the stereotype index of images",
      load: () => import("./analyze-stereotypes.js"),
    },
    {
      name: "ensemble",
      summary: "which way to make one calibrated judge of several prompts is best",
      load: () => import("./analyze-ensemble.js"),
    },
    {
      name: "significance",
      summary: "whether the best of several judges is really better",
      load: () => import("./analyze-significance.js"),
    },
  ],
});
