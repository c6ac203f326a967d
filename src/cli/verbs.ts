import { conclusionNamed } from "../conclusions/conclusions.js";
import type { Verb } from "./command-line/command.js";
import { labVerb } from "./lab.js";

/**
 * The verbs that exist, in the order in which --help lists them. A new verb is one line here. One of two words,
 * such as "judge check", is listed by its parent's --help.
 */
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
  { ...conclusionNamed("compare"), load: () => import("./verbs/compare/compare.js") },
  {
    name: "audit",
    summary: "measure stereotypes in generated images, before and after refined prompts",
    load: () => import("./verbs/audit/audit.js"),
  },
  {
    name: "calibrate",
    summary: "fit a judge to labels and certify when it may be trusted",
    load: () => import("./verbs/calibrate/calibrate.js"),
  },
  {
    name: "judge",
    summary: "judge with a calibrated judge; send unsure items to people; check judges",
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
    name: "judge prompts",
    summary: "list, show, sample and check the prompts of a judge",
    load: () => import("./verbs/judge/judge-prompts.js"),
  },
  {
    name: "label",
    summary: "get labels that say which image is better, with fewer questions to people",
    load: () => import("./verbs/label/label.js"),
  },
  {
    name: "study",
    summary: "design, serve and watch a human study; export its answers",
    load: () => import("./verbs/study/study.js"),
  },
  {
    name: "run",
    summary: "resume a run, show its progress, verify, explain and export it",
    load: () => import("./verbs/run/run.js"),
  },
  { ...conclusionNamed("card"), load: () => import("./verbs/card/card.js") },
  {
    name: "card diff",
    summary: "say how trust cards changed between two files",
    load: () => import("./verbs/card/card-diff.js"),
  },
  {
    name: "leaderboard",
    summary: "make a site of many cards and comparisons, with ranks as ranges",
    load: () => import("./verbs/leaderboard/leaderboard.js"),
  },
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
    name: "lab",
    summary: "measure the lab's models (a built-in world of clip art); repeat papers' experiments",
    load: labVerb("lab"),
  },
  {
    name: "metrics",
    summary: "list metrics and models: what each measures, gives, needs and costs",
    load: () => import("./verbs/metrics/metrics.js"),
  },
  {
    name: "metrics models",
    summary: "list where models come from: what each gives, needs and costs",
    load: () => import("./verbs/metrics/metrics-models.js"),
  },
  {
    name: "metrics localize",
    summary: "crop or blur an image to one entity, as localised metrics see it",
    load: () => import("./verbs/localize/localize.js"),
  },
  {
    name: "doctor",
    summary: "check what is installed and say how to get the rest; write settings",
    load: () => import("./verbs/doctor/doctor.js"),
  },
  {
    name: "doctor init",
    summary: "write a touchstone.config.yaml with comments",
    load: () => import("./verbs/doctor/doctor-init.js"),
  },
  {
    name: "doctor completion",
    summary: "print a script by which bash, zsh or fish completes verbs and flags",
    async load() {
      const { completionOf } = await import("./verbs/doctor/completion.js");
      return { default: completionOf(() => verbs, earlierNames) };
    },
  },
];

/** Verbs' names in version 0.2.0, each with today's. They run, but no list shows them. */
export const earlierNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "audit-sheet": "study page",
    completion: "doctor completion",
    datasets: "evidence sets",
    degrade: "label degrade",
    experiment: "lab experiment",
    explain: "run explain",
    init: "doctor init",
    localize: "metrics localize",
    models: "metrics models",
    prompts: "judge prompts",
  }),
);
