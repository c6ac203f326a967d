import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description: "Writes what other programs read from a run or a result.",
  examples: [
    "touchstone export results comparison.json --as every-eval-ever --out eval",
    "touchstone export pairs runs/train --out pairs",
  ],
  verbs: [
    {
      name: "results",
      summary: "a result in the format of another tool: MLflow, the Hugging Face Hub, JUnit",
      load: () => import("./export-results.js"),
    },
    {
      name: "pairs",
      summary: "pairs of images to train a metric on",
      load: () => import("./export-pairs.js"),
    },
  ],
});
