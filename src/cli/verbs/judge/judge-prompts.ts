import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "The prompts of a judge. They combine personas, templates, criteria, glyphs and orders, " +
    "so that many prompts ask for the same thing in other words.",
  examples: [
    "touchstone judge prompts list",
    "touchstone judge prompts show critic/short/fidelity/AB/straight",
  ],
  verbs: [
    {
      name: "list",
      summary: "list the prompts of a pool",
      load: () => import("./prompts-list.js"),
    },
    {
      name: "show",
      summary: "show the messages of one prompt",
      load: () => import("./prompts-show.js"),
    },
    {
      name: "sample",
      summary: "sample prompts, balanced over their parts",
      load: () => import("./prompts-sample.js"),
    },
    {
      name: "lint",
      summary: "check that a pool's prompts ask for the same thing",
      load: () => import("./prompts-lint.js"),
    },
  ],
});
