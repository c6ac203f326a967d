import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description: "Writes what other programs read from a run.",
  examples: ["touchstone export pairs runs/train --out pairs"],
  verbs: [
    {
      name: "pairs",
      summary: "pairs of images to train a metric on",
      load: () => import("./export-pairs.js"),
    },
  ],
});
