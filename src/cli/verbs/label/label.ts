import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description: "Labels that say which image is better, with fewer questions to people.",
  examples: ["touchstone label degrade images --out degraded"],
  verbs: [
    {
      name: "degrade",
      summary: "make altered copies of your images: pairs of which the better one is known",
      load: () => import("./label-degrade.js"),
    },
  ],
});
