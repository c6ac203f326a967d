import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "The papers' own experiments, made on answers of your own: what comes out is about your judge and " +
    "your images, and is printed beside the papers' figures.",
  verbs: [
    {
      name: "ensemble",
      summary: "which way of combining prompts makes a judge whose confidence can be believed",
      load: () => import("./experiment-ensemble.js"),
    },
    {
      name: "claims",
      summary: "which claims of that paper hold on pairs that nothing was fitted on",
      load: () => import("./experiment-claims.js"),
    },
    {
      name: "no-preference",
      summary: "how sure a judge is of pairs of which neither is better",
      load: () => import("./experiment-no-preference.js"),
    },
  ],
});
