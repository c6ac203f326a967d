import type { ExperimentSize, LabExperiment } from "../../../lab/experiment.js";
import type { Limits } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { collect } from "../run/collect.js";
import { makeReport } from "../run/made-report.js";
import { writeReport } from "../run/written-report.js";

export interface ChapterOptions {
  /** The folder of the chapter's own run. */
  readonly run: string;
  /** The words after `touchstone` that go on with the demo. */
  readonly command: readonly string[];
  readonly size: ExperimentSize;
  readonly seed: number;
  readonly limits: Limits;
  readonly environment: Environment;
  readonly output: Output;
}

/** Collects what the chapter's run lacks, writes its report.html, and gives the verdict. */
export async function collectChapter(
  { steps, models }: LabExperiment,
  { run, ...options }: ChapterOptions,
): Promise<readonly string[]> {
  const { store } = await collect(() => steps, { run, models, ...options });
  options.output.progress("Drawing conclusions, plots and pages …");
  const made = await makeReport({ run: store, name: run });
  const { environment } = options;
  return (await writeReport(made, { run, environment })).verdict;
}
