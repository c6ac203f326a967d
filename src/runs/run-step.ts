import { IncompleteError, InputError, TouchstoneError } from "../core/errors.js";
import { canonicalJson, type JsonObject } from "../core/json.js";
import type { Picture } from "../core/models.js";
import type { AnyRecord } from "../core/records.js";
import type { AnyStep, Records, RunEvent, StepContext } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import type { RunFolder } from "../files/run-folder.js";
import type { RunWriter } from "../files/run-writer.js";
import type { StepRecords } from "../files/step-records.js";
import { inParallel } from "./in-parallel.js";
import { doneRecord, type Task, unscoredRecord } from "./make-record.js";
import { type ErasedStep, planStep, type StepPlan } from "./step-plan.js";
import type { StepSummary, Tally } from "./step-summary.js";
import { taskContext } from "./task-context.js";

/** What one step needs of the loop around it; see `RunOptions`. */
export interface StepSession {
  readonly folder: RunFolder;
  readonly writer: RunWriter;
  readonly records: Records;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly cancel: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  readonly now: () => Date;
}

interface PerformingStep extends ErasedStep {
  perform(about: JsonObject, context: StepContext): Promise<object>;
}

/** Plans a step, performs what is missing, and puts its records in order. */
export async function runStep(typed: AnyStep, session: StepSession): Promise<StepSummary> {
  // A step is handed only what it planned itself, so forgetting its types loses nothing.
  const step = typed as unknown as PerformingStep;
  const { writer, signal, onEvent, now } = session;
  const started = now().getTime();
  const stored = await writer.openStep(step.name);
  try {
    const plan = await naming(`${step.name} failed while it planned`, () =>
      planStep(step, { records: session.records, stored, signal }),
    );
    const stood = plan.keys.length - plan.tasks.length;
    if (signal.aborted) throw stopped(session.folder, step.name, "before it began");
    onEvent({
      kind: "step-planned",
      step: step.name,
      total: plan.keys.length,
      reused: stood,
      reusedUnscored: { ...plan.reused.unscored },
    });
    const tally = await performTasks(step, { session, stored, plan });
    await stored.compact(plan.keys, (record) => writer.trace({ kind: "unplanned", record }));
    onEvent({ kind: "step-finished", step: step.name });
    return {
      step: step.name,
      planned: plan.keys.length,
      duplicates: plan.duplicates,
      reused: stood,
      done: tally.done,
      unscored: tally.unscored,
      cost: tally.cost,
      seconds: (now().getTime() - started) / 1000,
    };
  } finally {
    await stored.close();
  }
}

/** Returns the endings of all keys of the plan. */
async function performTasks(
  step: PerformingStep,
  parts: { session: StepSession; stored: StepRecords; plan: StepPlan },
): Promise<Tally> {
  const { session, stored, plan } = parts;
  const { folder, concurrency, signal, cancel, onEvent } = session;
  const tally = plan.reused;
  let finished = 0;
  const work = async (task: Task) => {
    const made = await performTask(step, task, session);
    if (made === undefined) return;
    await stored.append(made.record);
    finished++;
    tally.count(made.record.status === "done" ? undefined : made.record.reason);
    tally.cost += made.cost;
    onEvent({
      kind: "record",
      step: step.name,
      record: made.record,
      ...(made.cost > 0 ? { cost: made.cost } : {}),
    });
  };
  await inParallel(plan.tasks, { concurrency, signal: AbortSignal.any([signal, cancel]), work });
  if (finished < plan.tasks.length) {
    const stood = plan.keys.length - plan.tasks.length + finished;
    throw stopped(folder, step.name, `with ${stood} of ${plan.keys.length} records`);
  }
  return tally;
}

/** Asks once. `undefined` where the asking was cancelled. */
async function performTask(
  step: PerformingStep,
  task: Task,
  { folder, writer, cancel, openPicture, now }: StepSession,
): Promise<{ record: AnyRecord; cost: number } | undefined> {
  const context = taskContext(task, { folder, writer, signal: cancel, openPicture });
  const started = now();
  const ask = async () => {
    try {
      return doneRecord(task, await step.perform(task.about, context));
    } catch (error) {
      if (cancel.aborted) return undefined;
      if (error instanceof NoAnswer) return unscoredRecord(task, error);
      throw error;
    }
  };
  const what = `${task.step} failed on task ${task.key} ${brief(task.about)}`;
  const record = await naming(what, ask);
  if (record === undefined) return undefined;
  context.trace({
    kind: "asked",
    status: record.status,
    startedAt: started.toISOString(),
    seconds: (now().getTime() - started.getTime()) / 1000,
  });
  await context.settled();
  return { record, cost: context.cost };
}

/** Says in which step and task something failed; a full disk has nothing to do with either. */
async function naming<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) {
      const { hint, problems } = error;
      throw new InputError(`${error.message} (${what})`, {
        ...(hint === undefined ? {} : { hint }),
        problems,
        cause: error,
      });
    }
    if (error instanceof TouchstoneError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}: ${message}`, { cause: error });
  }
}

/** What a task is about, as far as it fits a message: hashes by their first digits. */
function brief(about: JsonObject): string {
  const text = canonicalJson(about).replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function stopped(folder: RunFolder, step: string, how: string): IncompleteError {
  const command = folder.recipe.commands.at(-1);
  return new IncompleteError(
    `The run in ${folder.directory} was stopped in step ${step}, ${how}`,
    command === undefined ? {} : { hint: `Go on with: ${command}` },
  );
}
