import { commandGroup } from "touchstone-t2i/internal/cli/command-line/command.js";

export default commandGroup({
  description:
    "Repeats the papers' experiments on your own answers, and prints the papers' figures " +
    "beside yours.",
  examples: [
    "touchstone lab experiment ensemble answers.jsonl --small",
    "touchstone lab experiment claims answers.jsonl --out claims.html",
  ],
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
      name: "grouping",
      summary: "tell what groups of images are worth apart from regularisation",
      load: () => import("./experiment-grouping.js"),
    },
    {
      name: "no-preference",
      summary: "measure confidence on pairs where neither image is better: table 4",
      load: () => import("./experiment-no-preference.js"),
    },
    {
      name: "proto-score",
      summary: "set metrics trained against prototypicality beside their start",
      load: () => import("./experiment-proto-score.js"),
    },
  ],
});
