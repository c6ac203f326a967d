import {
  conclusionNamed,
  conclusions,
  type RegisteredConclusion,
} from "../conclusions/conclusions.js";
import type { CommandGroup, Verb } from "./command-line/command.js";
import { labVerb } from "./lab.js";

/** The verb of a conclusion: `load` imports src/conclusions/NAME/NAME.ts. */
const concluding = ({ name, summary, load }: RegisteredConclusion): Verb => ({
  name,
  summary,
  async load() {
    const { conclusionCommand } = await import("./conclusions/conclusion-command.js");
    return { default: conclusionCommand((await load()).default) };
  },
});

const analyze: CommandGroup = {
  kind: "group",
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed. A file in place of a " +
    "verb is read by the one that its columns tell; what else could read it is said.",
  examples: [
    "touchstone analyze scores.csv",
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone example agreement | touchstone analyze agreement - --scale ordinal",
  ],
  verbs: conclusions.filter(({ verb }) => verb === undefined).map(concluding),
  otherwise: {
    takes: (word) => word === "-" || /[./\\*]/.test(word),
    load: () => import("./verbs/analyze/analyze-table.js"),
  },
};

const label: CommandGroup = {
  kind: "group",
  description: "Labels that say which image is better, with fewer questions to people.",
  examples: [
    "touchstone label plan scores.csv --budget 60 --out next.csv",
    "touchstone label degrade images --out degraded",
  ],
  verbs: [
    {
      name: "plan",
      summary: conclusionNamed("label-plan").summary,
      load: () => import("./verbs/label/label-plan.js"),
    },
    {
      name: "degrade",
      summary: "make altered copies of your images: pairs whose better image is known",
      load: () => import("./verbs/label/label-degrade.js"),
    },
  ],
};

const exporting: CommandGroup = {
  kind: "group",
  description: "Writes what other programs read from a run or a result.",
  examples: [
    "touchstone export results comparison.json --as every-eval-ever --out eval",
    "touchstone export pairs runs/train --out pairs",
  ],
  verbs: [
    {
      name: "results",
      summary: "a result in the format of another tool: MLflow, the Hugging Face Hub, JUnit",
      load: () => import("./verbs/export/export-results.js"),
    },
    {
      name: "pairs",
      summary: "pairs of images to train a metric on",
      load: () => import("./verbs/export/export-pairs.js"),
    },
  ],
};

const run: CommandGroup = {
  kind: "group",
  description:
    "A run is a folder that demo, build, generate and score write to. It can be stopped at any moment, " +
    "resumed and checked.",
  examples: ["touchstone run status runs/demo", "touchstone run resume runs/demo"],
  verbs: [
    {
      name: "resume",
      summary: "resume a run: ask only for what is missing",
      load: () => import("./verbs/run/run-resume.js"),
    },
    {
      name: "plan",
      summary: "write the tasks of a run as parts, for other machines",
      load: async () => ({ default: (await import("./verbs/run/run-parts.js")).plan }),
    },
    {
      name: "perform",
      summary: "perform parts of a run on any machine",
      load: () => import("./verbs/run/run-perform.js"),
    },
    {
      name: "finish",
      summary: "take the results of parts into the run",
      load: async () => ({ default: (await import("./verbs/run/run-parts.js")).finish }),
    },
    {
      name: "status",
      summary: "show a run's progress, cost and running processes",
      load: () => import("./verbs/run/run-status.js"),
    },
    {
      name: "exclude",
      summary: "leave triplets out of a run's conclusions, by hand",
      load: () => import("./verbs/run/run-exclude.js"),
    },
    {
      name: "export",
      summary: "write a run's records as Parquet tables",
      load: () => import("./verbs/run/run-export.js"),
    },
    {
      name: "verify",
      summary: "check every record, key and image of a run",
      load: () => import("./verbs/run/run-verify.js"),
    },
    {
      name: "explain",
      summary: "show how one score was made: image, question, value, command",
      load: () => import("./verbs/run/run-explain.js"),
    },
    {
      name: "clean",
      summary: "remove unnamed runs (.touchstone)",
      load: () => import("./verbs/run/run-clean.js"),
    },
  ],
};

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
    load: async () => ({ default: label }),
  },
  {
    name: "study",
    summary: "design, serve and watch a human study; export its answers",
    load: () => import("./verbs/study/study.js"),
  },
  {
    name: "run",
    summary: "resume a run, show its progress, verify, explain and export it",
    load: async () => ({ default: run }),
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
    load: async () => ({ default: analyze }),
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
    load: async () => ({ default: exporting }),
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
