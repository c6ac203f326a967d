import { conclusionNamed } from "../../../conclusions/conclusions.js";
import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description: "Labels that say which image is better, with fewer questions to people.",
  examples: [
    "touchstone label plan scores.csv --budget 60 --out next.csv",
    "touchstone label degrade images --out degraded",
  ],
  verbs: [
    {
      name: "plan",
      summary: conclusionNamed("label-plan").summary,
      load: () => import("./label-plan.js"),
    },
    {
      name: "degrade",
      summary: "make altered copies of your images: pairs whose better image is known",
      load: () => import("./label-degrade.js"),
    },
  ],
});
