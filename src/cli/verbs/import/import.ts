import type { ForeignTool } from "../../../tables/foreign/foreign-table.js";
import { commandGroup } from "../../command-line/command.js";

/** Loads the verb that imports one tool's files. */
const of = (load: () => Promise<ForeignTool>) => async () => {
  const [{ importCommand }, tool] = await Promise.all([import("./import-command.js"), load()]);
  return { default: importCommand(tool) };
};

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
      load: of(async () => (await import("../../../tables/foreign/promptfoo.js")).promptfoo),
    },
    {
      name: "inspect-ai",
      summary: "logs of inspect_ai (.eval or .json)",
      load: of(async () => (await import("../../../tables/foreign/inspect-ai.js")).inspectAi),
    },
    {
      name: "label-studio",
      summary: "annotations of Label Studio (its JSON export)",
      load: of(async () => (await import("../../../tables/foreign/label-studio.js")).labelStudio),
    },
    {
      name: "arena",
      summary: "a table of battles, as LMArena publishes it",
      load: of(async () => (await import("../../../tables/foreign/arena.js")).arena),
    },
    {
      name: "heim",
      summary: "a run or a suite of HEIM (HELM for images)",
      load: of(async () => (await import("../../../tables/foreign/heim.js")).heim),
    },
    {
      name: "evalscope",
      summary: "reviews of evalscope (outputs/TIME)",
      load: of(async () => (await import("../../../tables/foreign/evalscope.js")).evalscope),
    },
    {
      name: "lm-eval",
      summary: "samples of lm-eval (--log_samples)",
      load: of(async () => (await import("../../../tables/foreign/lm-eval.js")).lmEval),
    },
    {
      name: "lmms-eval",
      summary: "samples of lmms-eval (--log_samples)",
      load: of(async () => (await import("../../../tables/foreign/lm-eval.js")).lmmsEval),
    },
  ],
});
