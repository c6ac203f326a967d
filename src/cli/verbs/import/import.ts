import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description: "Turns the results of other tools into a table that analyze and compare read.",
  examples: [
    "touchstone import promptfoo results.json --out scores.csv",
    "touchstone import label-studio export.json --out ratings.csv --question quality",
  ],
  verbs: [
    {
      name: "promptfoo",
      summary: "results of promptfoo eval -o results.json",
      load: () => import("./import-promptfoo.js"),
    },
    {
      name: "inspect-ai",
      summary: "logs of inspect_ai (.eval or .json)",
      load: () => import("./import-inspect-ai.js"),
    },
    {
      name: "label-studio",
      summary: "annotations of Label Studio (its JSON export)",
      load: () => import("./import-label-studio.js"),
    },
    {
      name: "arena",
      summary: "a table of battles, as LMArena publishes it",
      load: () => import("./import-arena.js"),
    },
    {
      name: "heim",
      summary: "a run or a suite of HEIM (HELM for images)",
      load: () => import("./import-heim.js"),
    },
    {
      name: "evalscope",
      summary: "reviews of evalscope (outputs/TIME)",
      load: () => import("./import-evalscope.js"),
    },
    {
      name: "lm-eval",
      summary: "samples of lm-eval (--log_samples)",
      load: () => import("./import-lm-eval.js"),
    },
    {
      name: "lmms-eval",
      summary: "samples of lmms-eval (--log_samples)",
      load: () => import("./import-lmms-eval.js"),
    },
  ],
});
