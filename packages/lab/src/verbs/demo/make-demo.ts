import { availableParallelism } from "node:os";
import { join } from "node:path";
import { sanityLine, sanityOnPage } from "touchstone-t2i/internal/analysis/sanity/sanity-text.js";
import { prototypicality } from "touchstone-t2i/internal/benchmarks/prototypicality/benchmark.js";
import { prototypicalityReport } from "touchstone-t2i/internal/benchmarks/prototypicality/report.js";
import type { CollectedRun, Invocation } from "touchstone-t2i/internal/cli/command-line/command.js";
import { Journey, type JourneyStep } from "touchstone-t2i/internal/cli/terminal/journey.js";
import { wrap } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { standingChapters } from "touchstone-t2i/internal/cli/verbs/report/standing-chapters.js";
import {
  collect,
  drawingConclusions,
  outlineOf,
} from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import {
  failureTable,
  retentionText,
} from "touchstone-t2i/internal/cli/verbs/run/failure-table.js";
import {
  reportLine,
  verdictText,
  writeReport,
} from "touchstone-t2i/internal/cli/verbs/run/written-report.js";
import { once } from "touchstone-t2i/internal/core/cache.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type { Arguments } from "touchstone-t2i/internal/core/options.js";
import type { RunMakes } from "touchstone-t2i/internal/core/recipe.js";
import type { AnyStep } from "touchstone-t2i/internal/core/step.js";
import { runPlace } from "touchstone-t2i/internal/files/open-store.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { reportPage } from "touchstone-t2i/internal/report/pages/report-page.js";
import { reportAddress } from "touchstone-t2i/internal/report/standing.js";
import { Budget } from "touchstone-t2i/internal/runs/budget.js";
import { checkRun } from "touchstone-t2i/internal/runs/check-run.js";
import { z } from "zod";
import { type ExperimentSize, experimentSeed, labExperiment } from "../../lab-experiment.js";
import { checkRuntime, type Runtime } from "../../models/runtime.js";
import { loadLabData } from "../../package-file.js";
import { type DemoChapter, demoChapters } from "./chapters.js";
import { concluding, type ExperimentOptions, type MadeChapter } from "./collect-chapter.js";
import type { MadeDemo } from "./standing-demo.js";

const mainPart = "prototypicality";
/** While the disk takes in what some made, painters and models have others to work on. */
const callsAtOnce = 3 * availableParallelism();
const title = "Typical against right";

/** Options that a demo is made by. */
interface AskedDemo {
  readonly size: ExperimentSize;
  readonly run: string;
  readonly seed: number | undefined;
  readonly chapter: readonly string[];
  readonly runtime: Runtime;
  /** Whether metrics are asked with foreign texts and grey images. */
  readonly isChecked: boolean;
  readonly budget: Budget;
  /** The command line that makes it, with its seed. */
  words(chosen: { readonly seed: number }): readonly string[];
  makes(chosen: { readonly seed: number }): RunMakes;
}

/**
 * Collects what the main run and its chapters lack, and writes their reports.
 *
 * @param resumed the main run, where its recipe has collected it already.
 */
export async function makeDemo(
  {
    size,
    run,
    seed = experimentSeed(size),
    chapter,
    runtime,
    isChecked,
    budget,
    words,
    makes,
  }: AskedDemo,
  { environment, output }: Pick<Invocation<Arguments>, "environment" | "output">,
  resumed?: CollectedRun,
): Promise<MadeDemo> {
  const chapters = chosenChapters(chapter);
  await checkRuntime(runtime);
  const command = words({ seed });
  const { steps, models } = labExperiment({ size, seed, runtime });
  const experiment = { size, seed, runtime, environment };
  const journey = await journeyOf({ steps, chapters, ...experiment });
  const keepsFinished = resumed !== undefined;
  const where = { command, budget, journey, output, keepsFinished, callsAtOnce };
  const place = runPlace(run, environment);
  const makeChapter = ({ name, make }: DemoChapter) =>
    make({ run: join(run, name), ...experiment, ...where });
  const { store, summaries } =
    resumed ??
    (await collect(() => steps, {
      run,
      seed,
      models,
      makes: makes({ seed }),
      environment,
      ...where,
    }));
  const sanity = isChecked
    ? await checkRun(store, {
        steps,
        meter: undefined,
        budget: new Budget({}),
        signal: environment.signal,
        openPicture,
        concurrency: 4,
        onForecast() {},
      })
    : undefined;
  const concluded = concluding(where);
  const report = await prototypicality.conclude(store, { name: run });
  const shown = prototypicalityReport(report);
  const write = () =>
    writeReport(
      {
        ...shown,
        page: async (to) =>
          reportPage(shown.report(await standingChapters(place, to)), {
            sanity: sanity && sanityOnPage(sanity),
          }),
      },
      { run, environment },
    );
  await write();
  concluded();
  const made: (MadeChapter & { title: string; report: string })[] = [];
  try {
    for (const chapter of chapters) {
      const { name, title } = chapter;
      const report = reportAddress(join(place, name));
      made.push({ ...(await makeChapter(chapter)), title, report });
    }
  } finally {
    // Reports of earlier chapters are finished where a later one stops.
    await Promise.allSettled(made.map(({ verdict }) => verdict));
  }
  const further = await Promise.all(
    made.map(async ({ title, verdict, report }) => ({ title, verdict: await verdict, report })),
  );
  // The main report is written again, now with the chapters' verdicts.
  const written = await write();
  return {
    text: [
      ...[{ title, verdict: written.verdict }, ...further].flatMap(({ title, verdict }) => [
        `${title}:`,
        // The headline; the report has the rest.
        verdictText(verdict.slice(0, 1), output.style.width),
        "",
      ]),
      failureTable(report, output.style.width),
      "",
      retentionText(report, output.style.width),
      "",
      wrap(
        sanity === undefined
          ? "Whether the metrics read their texts and look at their images was not checked."
          : sanityLine(sanity.metrics),
        output.style.width,
      ),
      "The lab is a world of clip art: no evidence about real text-to-image metrics.",
      reportLine(written),
    ].join("\n"),
    json: JSON.stringify({
      run,
      report: written.path,
      verdict: written.verdict,
      steps: summaries,
      selections: report.selections,
      chapters: further,
    }),
    report: written.path,
  };
}

/** All steps of the demo, with the share of time that each takes. */
async function journeyOf({
  steps,
  chapters,
  ...options
}: ExperimentOptions & {
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

/** The same steps with costs that add up to so many seconds. */
function scaled(steps: readonly JourneyStep[], seconds: number): JourneyStep[] {
  const sum = steps.reduce((total, { cost }) => total + cost, 0);
  return steps.map((step) => ({ ...step, cost: (step.cost * seconds) / sum }));
}

const chapterNames = () => demoChapters.map(({ name }) => name);

function chosenChapters(names: readonly string[]): readonly DemoChapter[] {
  if (names.length === 0) return demoChapters;
  if (names.length === 1 && names[0] === "none") return [];
  const unknown = names.find((name) => !chapterNames().includes(name));
  if (unknown !== undefined) {
    throw new InputError(
      `Expected one of ${chapterNames().join(", ")}, or none, for --chapter but received "${unknown}"`,
    );
  }
  return demoChapters.filter(({ name }) => names.includes(name));
}

const seconds = z.number().positive();
const schema = z.strictObject({
  limit: seconds,
  chapters: z.record(
    z.string(),
    z.strictObject({ small: seconds, medium: seconds, full: seconds }),
  ),
});

/** Seconds of processor time for each chapter and size, and the limit for the medium size in all. */
export const demoBudget = once(() => loadLabData("demo-budget.yaml", schema));
