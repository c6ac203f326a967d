import { conclusionNamed } from "../conclusions/conclusions.js";
import type { Verb } from "./command-line/command.js";
import { labVerb } from "./lab.js";

/** The verbs that exist, in the order in which --help lists them. A new verb is one line here. */
export const verbs: readonly Verb[] = [
  {
    name: "demo",
    summary: "find out offline, on the built-in lab, which metric can be trusted",
    load: labVerb("demo"),
  },
  {
    name: "build",
    summary: "build the prompts of a benchmark",
    load: () => import("./verbs/build/build.js"),
  },
  {
    name: "generate",
    summary: "generate images for the prompts of a run or a table",
    load: () => import("./verbs/generate/generate.js"),
  },
  {
    name: "score",
    summary: "score images against texts: a folder, a table, or one image",
    load: () => import("./verbs/score/score.js"),
  },
  {
    name: "localize",
    summary: "crop or blur an image to one entity, as localised metrics see it",
    load: () => import("./verbs/localize/localize.js"),
  },
  { ...conclusionNamed("compare"), load: () => import("./verbs/compare/compare.js") },
  {
    name: "audit",
    summary: "measure stereotypes in generated images, before and after refined prompts",
    load: () => import("./verbs/audit/audit.js"),
  },
  {
    name: "audit-sheet",
    summary: "make a labelling sheet for experts who check an audit's judge",
    load: () => import("./verbs/audit-sheet/audit-sheet.js"),
  },
  {
    name: "calibrate",
    summary: "fit a judge to labels and certify when it may be trusted",
    load: () => import("./verbs/calibrate/calibrate.js"),
  },
  {
    name: "judge",
    summary: "judge with a calibrated judge; send unsure items to people",
    load: () => import("./verbs/judge/judge.js"),
  },
  {
    ...conclusionNamed("judge-check"),
    name: "judge check",
    load: () => import("./verbs/judge/judge-check.js"),
  },
  {
    name: "judge verify",
    summary: "ask a judge's anchors again: has the model behind it changed?",
    load: () => import("./verbs/judge/judge-verify.js"),
  },
  {
    name: "degrade",
    summary: "make altered copies of your images: pairs of which the better one is known",
    load: () => import("./verbs/degrade/degrade.js"),
  },
  {
    name: "prompts",
    summary: "list, show, sample and check the prompts of a judge",
    load: () => import("./verbs/prompts/prompts.js"),
  },
  {
    name: "study",
    summary: "design, serve and watch a human study; export its answers",
    load: () => import("./verbs/study/study.js"),
  },
  {
    name: "run",
    summary: "resume a run, show its progress, verify and export it",
    load: () => import("./verbs/run/run.js"),
  },
  { ...conclusionNamed("card"), load: () => import("./verbs/card/card.js") },
  {
    name: "report",
    summary: "make the HTML report of a run",
    load: () => import("./verbs/report/report.js"),
  },
  {
    name: "studio",
    summary: "open a page in the browser over runs: their verdicts, images and scores",
    load: () => import("./verbs/studio/studio.js"),
  },
  {
    name: "studio export",
    summary: "write the studio's pages of a run as files that need no server",
    load: () => import("./verbs/studio/studio-export.js"),
  },
  {
    name: "explain",
    summary: "show how one score was made: image, question, value, command",
    load: () => import("./verbs/explain/explain.js"),
  },
  {
    name: "analyze",
    summary: "analyze scores that you already have (CSV, JSON, JSONL or Parquet)",
    load: () => import("./verbs/analyze/analyze.js"),
  },
  {
    name: "query",
    summary: "ask runs and tables by SQL (DuckDB)",
    load: () => import("./verbs/query/query.js"),
  },
  {
    name: "evidence",
    summary: "say which metric or judge agrees with people, over published sets",
    load: () => import("./verbs/evidence/evidence.js"),
  },
  {
    name: "evidence sets",
    summary: "list published sets and the commands that recompute their figures",
    load: () => import("./verbs/evidence/evidence-sets.js"),
  },
  {
    name: "evidence fetch",
    summary: "download the files of published sets and check their hashes",
    load: () => import("./verbs/evidence/evidence-fetch.js"),
  },
  {
    name: "evidence collect",
    summary: "compute the figures that evidence answers from",
    load: () => import("./verbs/evidence/evidence-collect.js"),
  },
  {
    name: "datasets",
    summary: "list published sets: evidence sets by its earlier name",
    load: () => import("./verbs/datasets/datasets.js"),
  },
  {
    name: "import",
    summary: "turn results of promptfoo, inspect_ai, Label Studio and others into a table",
    load: () => import("./verbs/import/import.js"),
  },
  {
    name: "example",
    summary: "print a small sample of the table that a verb reads",
    load: () => import("./verbs/example/example.js"),
  },
  {
    name: "export",
    summary: "write results for other tools, and pairs of images to train a metric on",
    load: () => import("./verbs/export/export.js"),
  },
  {
    name: "experiment",
    summary: "repeat the papers' experiments on your own answers",
    load: labVerb("experiment"),
  },
  {
    name: "lab",
    summary: "measure or serve the lab's models (a built-in world of clip art)",
    load: labVerb("lab"),
  },
  {
    name: "models",
    summary: "list where models come from: what each gives, needs and costs",
    load: () => import("./verbs/models/models.js"),
  },
  {
    name: "metrics",
    summary: "list the metrics: what each measures, gives, needs and costs",
    load: () => import("./verbs/metrics/metrics.js"),
  },
  {
    name: "doctor",
    summary: "check what is installed and say how to get what is missing",
    load: () => import("./verbs/doctor/doctor.js"),
  },
  {
    name: "init",
    summary: "write a touchstone.config.yaml with comments",
    load: () => import("./verbs/init/init.js"),
  },
  {
    name: "completion",
    summary: "print a script by which bash, zsh or fish completes verbs and flags",
    async load() {
      const { completionOf } = await import("./verbs/completion/completion.js");
      return { default: completionOf(() => verbs) };
    },
  },
];
