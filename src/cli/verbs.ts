import type { Verb } from "./command-line/command.js";

/** The verbs that exist, in the order in which --help lists them. A new verb is one line here. */
export const verbs: readonly Verb[] = [
  {
    name: "demo",
    summary: "the main job on the lab, offline: which metric can be trusted",
    load: () => import("./verbs/demo/demo.js"),
  },
  {
    name: "build",
    summary: "the prompts of a benchmark",
    load: () => import("./verbs/build/build.js"),
  },
  {
    name: "generate",
    summary: "images for the prompts of a run",
    load: () => import("./verbs/generate/generate.js"),
  },
  {
    name: "score",
    summary: "score images against texts: a folder, a table, or one image",
    load: () => import("./verbs/score/score.js"),
  },
  {
    name: "localize",
    summary: "make the image that a localised metric looks at",
    load: () => import("./verbs/localize/localize.js"),
  },
  {
    name: "compare",
    summary: "which of several image models is better, and whether that is more than chance",
    load: () => import("./verbs/compare/compare.js"),
  },
  {
    name: "audit",
    summary: "which stereotypes image models paint, and what a better prompt does about it",
    load: () => import("./verbs/audit/audit.js"),
  },
  {
    name: "audit-sheet",
    summary: "have experts check the judge of an audit: a labelling sheet, and their answers",
    load: () => import("./verbs/audit-sheet/audit-sheet.js"),
  },
  {
    name: "calibrate",
    summary: "fit a judge of pairs, questions or ratings to labels, and say when it may be trusted",
    load: () => import("./verbs/calibrate/calibrate.js"),
  },
  {
    name: "judge",
    summary: "judge by a saved judge, and hand what it is unsure of to people",
    load: () => import("./verbs/judge/judge.js"),
  },
  {
    name: "prompts",
    summary: "look at the prompts by which a judge is asked, draw some, check your own",
    load: () => import("./verbs/prompts/prompts.js"),
  },
  {
    name: "run",
    summary: "go on with a run, look at how far it is, check that it is whole",
    load: () => import("./verbs/run/run.js"),
  },
  {
    name: "card",
    summary: "make a metric's trust card: all that is known of whether it can be believed",
    load: () => import("./verbs/card/card.js"),
  },
  {
    name: "report",
    summary: "make the HTML report of a run",
    load: () => import("./verbs/report/report.js"),
  },
  {
    name: "explain",
    summary: "tell one score's life: image, question, value, and how to ask again",
    load: () => import("./verbs/explain/explain.js"),
  },
  {
    name: "analyze",
    summary: "draw conclusions from scores you have already, in a CSV, JSONL or Parquet",
    load: () => import("./verbs/analyze/analyze.js"),
  },
  {
    name: "example",
    summary: "print a small sample of the table that a verb reads",
    load: () => import("./verbs/example/example.js"),
  },
  {
    name: "experiment",
    summary: "the papers' own experiments on answers of your own",
    load: () => import("./verbs/experiment/experiment.js"),
  },
  {
    name: "lab",
    summary: "measure the models of the embedded world of clip art",
    load: () => import("./verbs/lab/lab.js"),
  },
  {
    name: "doctor",
    summary: "say what is installed, what is missing and what to do about it",
    load: () => import("./verbs/doctor/doctor.js"),
  },
  {
    name: "init",
    summary: "write a touchstone.config.yaml with comments",
    load: () => import("./verbs/init/init.js"),
  },
];
