import { join } from "node:path";
import { prototypicality } from "../../../benchmarks/prototypicality/benchmark.js";
import { InputError } from "../../../core/errors.js";
import type { AnyStep } from "../../../core/step.js";
import { placeIn, storePlace } from "../../../files/open-store.js";
import {
  type ExperimentSize,
  experimentSeed,
  experimentSizes,
  labExperiment,
} from "../../../lab/experiment.js";
import { checkRuntime } from "../../../lab/models/runtime.js";
import { showPrototypicality } from "../../../report/benchmarks/prototypicality/show.js";
import { reportAddress } from "../../../report/pages/standing-report.js";
import { Budget } from "../../../runs/budget.js";
import { command } from "../../command-line/command.js";
import { openArgument, openWhere } from "../../command-line/open-flag.js";
import { storeArgument } from "../../command-line/store-argument.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import { Journey, type JourneyStep } from "../../terminal/journey.js";
import { collect } from "../run/collect.js";
import { failureTable, retentionText } from "../run/failure-table.js";
import { limitArguments, limitsOf } from "../run/limits.js";
import { reportLine, verdictText, writeReport } from "../run/written-report.js";
import { type DemoChapter, demoChapters } from "./chapters.js";
import { type ChapterOptions, concluding } from "./collect-chapter.js";
import { demoBudget } from "./demo-budget.js";
import { standingChapters } from "./standing-chapters.js";
import { drawingConclusions, outlineOf } from "./step-outline.js";

/** Where no --run is given; a run of one size can't be gone on with in another. */
const folders: Readonly<Record<ExperimentSize, string>> = {
  small: "runs/demo-small",
  medium: "runs/demo",
  full: "runs/demo-full",
};

const mainPart = "prototypicality";
const title = "Typical against right";

const chapterNames = demoChapters.map(({ name }) => name);

export default command({
  description:
    "Finds out offline which metric prefers the typical image over the right one: builds " +
    "contrastive prompts, paints them with the lab's generator, keeps the pictures that show " +
    "what they should, and scores them with five metrics over small real models. Further " +
    "chapters follow, each a run of its own in the demo's folder. The lab is a world of clip " +
    "art: it shows how Touchstone works, and is no evidence about real metrics.",
  examples: [
    "touchstone demo",
    "touchstone demo --size small --seed 1 --run runs/seed-1",
    "touchstone demo --chapter none",
  ],
  arguments: {
    size: {
      kind: "choice",
      choices: experimentSizes,
      default: "medium",
      description:
        "small: 40 triplets, to try things; medium: 300, four minutes on two processors; full: " +
        "1,500, the narrow intervals of README, some ten minutes",
    },
    run: {
      kind: "text",
      value: "DIR",
      description: `the folder of the run (default ${folders.medium}, ${folders.small} or ${folders.full} for these sizes)`,
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      description: "the random seed of prompts and pictures (default: fixed for each size)",
    },
    chapter: {
      kind: "text",
      repeated: true,
      value: "NAME",
      description: `which further chapters, of ${chapterNames.join(", ")}, or none; default: all`,
    },
    runtime: runtimeArgument,
    ...openArgument,
    ...limitArguments,
    ...storeArgument,
    "workers-only": {
      kind: "switch",
      description: "with --store: plan, and wait until workers have collected the run",
    },
  },
  async run({ given, output, ...invocation }) {
    const { size, seed = experimentSeed(size), run = folders[size] } = given;
    const chapters = chosenChapters(given.chapter, { inStore: given.store !== undefined });
    const limits = limitsOf(given);
    if (given["workers-only"] && given.store === undefined) {
      throw new InputError("Expected --store with --workers-only but it was not given", {
        hint: "Workers meet in a database: --store postgres://user@host/database",
      });
    }
    const { runtime } = given;
    await checkRuntime(runtime);
    // One budget for all chapters.
    const within = {
      ...invocation.environment,
      runtime,
      budget: invocation.environment.budget ?? new Budget(limits),
      ...(given["workers-only"] ? { fleet: { part: "wait" as const } } : {}),
    };
    const words = [
      ...["demo", "--size", size, "--run", run, "--seed", String(seed)],
      ...given.chapter.flatMap((name) => ["--chapter", name]),
      ...(runtime === "wasm" ? [] : ["--runtime", runtime]),
    ];
    const { steps, models } = labExperiment({ size, seed, runtime });
    const journey = await journeyOf({ steps, chapters, size, seed, environment: within });
    const environment = { ...within, journey };
    const { store, summaries } = await collect(() => steps, {
      run,
      command: words,
      seed,
      models,
      limits,
      environment,
      output,
    });
    const place = storePlace(run, environment);
    const concluded = concluding({ output, environment });
    const report = await prototypicality.conclude(store, { name: run });
    const { verdict, overview, page } = showPrototypicality(report);
    const write = () =>
      writeReport(
        {
          verdict,
          overview,
          page: async (to) => page({ further: await standingChapters(place, to) }),
        },
        { run, environment },
      );
    await write();
    concluded();
    const further: { title: string; verdict: readonly string[]; report: string }[] = [];
    for (const { name, title, make } of chapters) {
      const verdict = await make({
        run: join(run, name),
        command: words,
        size,
        seed,
        limits,
        environment,
        output,
      });
      further.push({ title, verdict, report: reportAddress(placeIn(place, name)) });
    }
    // Again, with what its chapters came to.
    const written = await write();
    output.result(
      [
        ...[{ title, verdict: written.verdict }, ...further].flatMap(({ title, verdict }) => [
          `${title}:`,
          // What comes first matters most; the reports say the rest.
          verdictText(verdict.slice(0, 1), output.style.width),
          "",
        ]),
        failureTable(report, output.style.width),
        "",
        retentionText(report, output.style.width),
        "",
        "The lab is a world of clip art: no evidence about real text-to-image metrics.",
        reportLine(written),
      ].join("\n"),
    );
    output.resultJson({
      run,
      report: written.path,
      verdict: [...written.verdict],
      steps: summaries.map((summary) => ({ ...summary })),
      selections: JSON.parse(JSON.stringify(report.selections)),
      chapters: further.map((chapter) => ({ ...chapter })),
    });
    openWhere({ open: given.open, out: written.path }, environment);
    output.nextCommand(["studio", run]);
  },
});

/** All that is to be done, with what each step costs beside the others. */
async function journeyOf({
  steps,
  chapters,
  ...options
}: Pick<ChapterOptions, "size" | "seed" | "environment"> & {
  readonly steps: readonly AnyStep[];
  readonly chapters: readonly DemoChapter[];
}): Promise<Journey> {
  const parts = [
    { name: mainPart, outline: outlineOf(steps) },
    ...(await Promise.all(
      chapters.map(async (one) => ({ name: one.name, outline: await one.outline(options) })),
    )),
  ];
  const { environment, size } = options;
  const all = parts.flatMap(({ name, outline }) =>
    scaled([...outline, drawingConclusions], demoBudget().chapters[name]?.[size] ?? 1),
  );
  return new Journey(all, () => environment.now().getTime());
}

/** The same steps, costing so much together. */
function scaled(steps: readonly JourneyStep[], seconds: number): JourneyStep[] {
  const sum = steps.reduce((total, { cost }) => total + cost, 0);
  return steps.map((step) => ({ ...step, cost: (step.cost * seconds) / sum }));
}

/** Those of which nothing but a run is kept: judges and studies are files. */
const storedChapters = ["demography", "attribute-confusion", "stereotypes"];

function chosenChapters(
  names: readonly string[],
  { inStore }: { readonly inStore: boolean },
): readonly DemoChapter[] {
  if (inStore) {
    const stored = demoChapters.filter(({ name }) => storedChapters.includes(name));
    const other = names.find((name) => name !== "none" && !storedChapters.includes(name));
    if (other !== undefined) {
      throw new InputError(
        `Expected one of ${storedChapters.join(", ")}, or none, for --chapter with --store but received "${other}"`,
        { hint: "The others keep files beside their runs: run them in a folder, without --store." },
      );
    }
    if (names.length === 0) return stored;
  }
  if (names.length === 0) return demoChapters;
  if (names.length === 1 && names[0] === "none") return [];
  const unknown = names.find((name) => !chapterNames.includes(name));
  if (unknown !== undefined) {
    throw new InputError(
      `Expected one of ${chapterNames.join(", ")}, or none, for --chapter but received "${unknown}"`,
    );
  }
  return demoChapters.filter(({ name }) => names.includes(name));
}
