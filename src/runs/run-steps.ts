import type { Picture } from "../core/models.js";
import type { AnyStep, RunEvent } from "../core/step.js";
import type { RunFolder } from "../files/run-folder.js";
import { runStep } from "./run-step.js";
import type { StepSummary } from "./step-summary.js";

export type { StepSummary } from "./step-summary.js";

export interface RunOptions {
  readonly folder: RunFolder;
  /** In the order in which they are to be gone over; their names differ. */
  readonly steps: readonly AnyStep[];
  /** How many tasks may be in hand at a time. */
  readonly concurrency?: number;
  /** Once aborted no new task is taken; those in hand are finished and kept. */
  readonly signal?: AbortSignal;
  /** Once aborted the tasks in hand are told to stop too, and lost. */
  readonly cancel?: AbortSignal;
  /** Told of everything that happens, as it happens. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  /** The time, for the trace and the seconds of the summary; never for records. */
  readonly now?: () => Date;
}

/**
 * The one loop: goes over the steps in their order, asks for what the run lacks, and keeps each
 * record the moment it exists. Going over a finished run asks for nothing.
 *
 * @throws IncompleteError when `signal` stopped it: the hint holds the command that goes on.
 * @throws InputError where the steps contradict what the run was made with.
 * @throws whatever a task failed with that is not `NoAnswer`, with step and task named; what was
 *   finished by then is kept.
 */
export async function runSteps(options: RunOptions): Promise<StepSummary[]> {
  const { folder, steps } = options;
  const names = steps.map((step) => step.name);
  if (new Set(names).size < names.length) {
    throw new RangeError(`Expected steps of different names but received ${names.join(", ")}`);
  }
  const never = new AbortController().signal;
  const writer = await folder.startWriting(steps);
  try {
    const summaries: StepSummary[] = [];
    for (const [position, step] of steps.entries()) {
      const session = {
        writer,
        folder,
        // Neither its own half-finished records nor later steps' may sway what a step plans.
        records: folder.without(names.slice(position)),
        concurrency: options.concurrency ?? 4,
        signal: options.signal ?? never,
        cancel: options.cancel ?? never,
        onEvent: options.onEvent ?? (() => {}),
        openPicture: options.openPicture,
        now: options.now ?? (() => new Date()),
      };
      summaries.push(await runStep(step, session));
    }
    return summaries;
  } finally {
    await writer.close();
  }
}
