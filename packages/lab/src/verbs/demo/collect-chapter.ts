import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import type { Output } from "touchstone-t2i/internal/cli/terminal/output.js";
import { onTheWay } from "touchstone-t2i/internal/cli/terminal/progress.js";
import {
  type Collection,
  collect,
  drawingConclusions,
} from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import type { ExperimentSize, LabExperiment } from "../../lab-experiment.js";
import type { Runtime } from "../../models/runtime.js";
import { reportBeside } from "./report-beside.js";

/** What the steps of a chapter depend on. */
export interface ExperimentOptions {
  readonly size: ExperimentSize;
  readonly seed: number;
  readonly runtime: Runtime;
  readonly environment: Environment;
}

export interface ChapterOptions
  extends ExperimentOptions,
    Pick<Collection, "budget" | "journey" | "keepsFinished" | "callsAtOnce"> {
  /** The folder of the chapter's own run. */
  readonly run: string;
  /** The words after `touchstone` that go on with the demo. */
  readonly command: readonly string[];
  readonly output: Output;
}

/** A chapter whose run is collected. */
export interface MadeChapter {
  /** Resolves when its report is written. */
  readonly verdict: Promise<readonly string[]>;
}

/** Collects what the chapter's run lacks, and has its report.html written while the demo goes on. */
export async function collectChapter(
  { steps, models }: LabExperiment,
  { run, ...options }: ChapterOptions,
): Promise<MadeChapter> {
  const { store } = await collect(() => steps, { run, models, ...options });
  const concluded = concluding(options);
  const verdict = reportBeside(store, { run, environment: options.environment });
  concluded();
  // Whoever awaits it hears of a failure; until then it must not end the process.
  verdict.catch(() => {});
  return { verdict };
}

/** Tells that conclusions are being drawn; the function that it returns, that they are. */
export function concluding({
  output,
  journey,
}: Pick<ChapterOptions, "output" | "journey">): () => void {
  const { id, title } = drawingConclusions;
  journey?.begin(id);
  output.progress(onTheWay(`${title} …`, journey));
  return () => {
    journey?.reach(1);
    if (journey !== undefined) output.note(onTheWay(title, journey));
  };
}
