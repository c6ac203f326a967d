import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "The papers' own experiments, made on answers of your own: what comes out is about your judge and " +
    "your images, and is printed beside the papers' figures.",
  verbs: [
    {
      name: "ensemble",
      summary: "compare ways to combine prompts: tables 1, 2, 3 and 6 of the paper",
      load: () => import("./experiment-ensemble.js"),
    },
    {
      name: "claims",
      summary: "test the paper's claims on held-out pairs",
      load: () => import("./experiment-claims.js"),
    },
    {
      name: "no-preference",
      summary: "measure confidence on pairs where neither image is better: table 4",
      load: () => import("./experiment-no-preference.js"),
    },
  ],
});
