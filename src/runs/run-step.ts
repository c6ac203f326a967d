import { IncompleteError, InputError, TouchstoneError } from "../core/errors.js";
import { canonicalJson, type JsonObject } from "../core/json.js";
import type { Key } from "../core/keys.js";
import type { Metric } from "../core/metric.js";
import type { RecordStore, RunWriter, StepWriter } from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import {
  type AnyStep,
  type Forecast,
  type Records,
  type RunEvent,
  type StepContext,
  stepId,
} from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import type { KnownFiles } from "../images/known-files.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { askAnew, type ForgetReplies } from "./ask-anew.js";
import { brokenImages } from "./broken-images.js";
import { type Budget, lookFirst } from "./budget.js";
import type { Spent } from "./call-costs.js";
import { Fruitless } from "./fruitless.js";
import { inParallel } from "./in-parallel.js";
import { InstantTasks } from "./instant-tasks.js";
import { type Performed, RecordsToKeep } from "./keep-records.js";
import { doneRecord, type Task, unscoredRecord } from "./make-record.js";
import type { OpenedPictures } from "./opened-pictures.js";
import { forecast, triedOf } from "./step-forecast.js";
import {
  batchesOf,
  type ErasedStep,
  entriesOf,
  type Survey,
  stepName,
  surveyPlan,
  wantedOf,
  wantedTasks,
} from "./step-plan.js";
import { type StepSummary, Tally } from "./step-summary.js";
import { countingContext, type TaskTools, taskContext } from "./task-context.js";

/** Services that one step needs of the loop around it; see `RunOptions`. */
export interface StepSession {
  readonly run: RecordStore;
  readonly writer: RunWriter;
  readonly records: Records;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly cancel: AbortSignal;
  readonly budget: Budget;
  /** The command that goes on with the run, where there is one. */
  readonly resume: string | undefined;
  /** US dollars a call of this step has cost so far; `undefined` where nothing is known. */
  readonly costOfCall: (step: string) => Promise<number | undefined>;
  /** Counts calls before they are made, where that is wanted. */
  readonly meter: CallMeter | undefined;
  readonly asksAgain: ((record: AnyRecord) => boolean) | undefined;
  readonly forgetReplies: ForgetReplies | undefined;
  readonly onEvent: (event: RunEvent) => void;
  readonly onTrace: (entry: JsonObject) => void;
  readonly pictures: OpenedPictures;
  readonly known: KnownFiles | undefined;
  readonly now: () => Date;
}

/** A step whose tasks are performed; its types are forgotten. */
export interface PerformingStep extends ErasedStep {
  readonly metric?: Metric;
  perform(about: JsonObject, context: StepContext): Promise<object>;
  holds?(record: AnyRecord): boolean;
}

/** Plans a step, performs what is missing, and puts its records in order. */
export async function runStep(typed: AnyStep, session: StepSession): Promise<StepSummary> {
  // A step is handed only what it planned itself, so forgetting its types loses nothing.
  const step = typed as unknown as PerformingStep;
  const id = stepId(typed);
  const { writer, records, signal, onEvent, now } = session;
  const started = now().getTime();
  const stored = await writer.openStep(id);
  try {
    if (step.produces === "image") await forgetBroken(id, stored, session);
    await forgetStale(step, stored, session);
    const survey = await surveyPlan(step, { records, stored, signal }).catch((error: unknown) => {
      throw named(error, `${id} failed while it planned`);
    });
    if (signal.aborted) throw stopped(session, id, "before it began");
    const { planned, wanted } = stored;
    await tellPlan(step, { session, stored, survey });
    const cost = await performTasks(step, { session, stored, survey });
    const unplanned = await stored.finish({ keepsRemains: step.holds === undefined });
    onEvent({ kind: "step-finished", step: id, ...(unplanned > 0 && { unplanned }) });
    const { done, unscored } = new Tally(await stored.count());
    return {
      step: id,
      planned,
      duplicates: survey.duplicates,
      reused: planned - wanted,
      byOthers: 0,
      done,
      unscored,
      cost,
      seconds: (now().getTime() - started) / 1000,
    };
  } finally {
    await stored.close();
  }
}

/** An image that is gone or damaged is asked for as if it had never been made. */
async function forgetBroken(
  id: string,
  stored: StepWriter,
  { run, known, onEvent }: StepSession,
): Promise<void> {
  const broken = await brokenImages(run.blobs, run.ofStep(id), known);
  const [first] = broken;
  if (first === undefined) return;
  await stored.forget(broken.map(({ key }) => key));
  onEvent({ kind: "images-broken", step: id, images: broken.length, example: first.problem });
}

/** A record that no longer says what its source says, or is to be asked again, is asked for as if it had never been made. */
async function forgetStale(
  step: PerformingStep,
  stored: StepWriter,
  { run, asksAgain }: StepSession,
): Promise<void> {
  if (step.holds === undefined && asksAgain === undefined) return;
  const stale: Key[] = [];
  for await (const record of run.ofStep(stepId(step))) {
    if (step.holds?.(record) === false || asksAgain?.(record) === true) stale.push(record.key);
  }
  await stored.forget(stale);
}

/** A step that is under way. */
interface Underway {
  readonly session: StepSession;
  readonly stored: StepWriter;
  readonly survey: Survey;
}

async function tellPlan(step: PerformingStep, underway: Underway): Promise<void> {
  const { session, stored } = underway;
  const { writer, onEvent, now, costOfCall, budget } = session;
  const id = stepId(step);
  const { planned, wanted } = stored;
  const reused = planned - wanted;
  const settled = (await stored.count()).filter(({ retryable }) => !retryable);
  const cost = wanted > 0 && reused > 0 ? await costOfCall(id) : undefined;
  const foreseen = await foresee(step, underway);
  onEvent({
    kind: "step-planned",
    step: id,
    total: planned,
    reused,
    reusedUnscored: new Tally(settled).unscored,
    ...(cost === undefined ? {} : { estimatedCost: cost * wanted }),
    ...(foreseen === undefined ? {} : { forecast: foreseen }),
    isFree: asksNobody(step),
  });
  if (wanted > 0) {
    await writer.trace({ kind: "planned", step: id, planned, reused, at: now().toISOString() });
    await lookBefore(step, underway);
  }
  if (foreseen !== undefined) budget.expect(foreseen);
}

/** Checks that models see before the step shows them images. */
async function lookBefore(
  step: PerformingStep,
  { session: { meter, budget, signal, resume, writer, onTrace } }: Underway,
): Promise<void> {
  const noted: Promise<void>[] = [];
  const trace = (entry: JsonObject) => {
    onTrace(entry);
    const written = writer.trace({ ...entry, step: "check-sight@1" });
    written.catch(() => {});
    noted.push(written);
  };
  try {
    await lookFirst(meter, { names: step.asks ?? [], budget, signal, trace });
  } catch (error) {
    throw error instanceof IncompleteError ? toGoOn(error, resume) : error;
  }
  await Promise.all(noted);
}

/** Forecasts what the step will ask, where its models' calls can be counted; some tasks stand for all. */
export async function foresee(
  step: PerformingStep,
  { session, stored, survey }: Underway,
): Promise<Forecast | undefined> {
  const { meter, records, run, cancel, pictures } = session;
  const watched = (step.asks ?? []).filter((name) => meter?.watches(name));
  if (meter === undefined || watched.length === 0 || stored.wanted === 0) return undefined;
  const isTried = triedOf(stored.wanted, { isMixed: watched.length < (step.asks ?? []).length });
  const context = countingContext({ run, signal: cancel, pictures });
  const answered = stored.wanted < stored.planned ? await answeredTask(step, session) : undefined;
  if (answered !== undefined) await meter.recall(() => step.perform(answered, context));
  const tasks = async function* () {
    let at = 0;
    for await (const entries of batchesOf(step, { records, survey, size: 16 })) {
      for (const { about } of await wantedOf(entries, stored)) {
        if (isTried(at++)) yield () => step.perform(about, context);
      }
    }
  };
  return forecast(meter, tasks(), stored.wanted);
}

/** A task of the step that was answered before. */
async function answeredTask(
  step: PerformingStep,
  { run, records }: StepSession,
): Promise<JsonObject | undefined> {
  for await (const { key: answered, status } of run.ofStep(stepId(step))) {
    if (status !== "done") continue;
    for await (const { key, about } of entriesOf(step, records)) {
      if (key === answered) return about;
    }
  }
  return undefined;
}

/** Whether a step costs nothing. A metric of the user's own may ask whom it likes. */
export const asksNobody = ({ asks, metric }: PerformingStep): boolean =>
  asks?.length === 0 && metric === undefined;

/** Asks for what is wanted; returns what it cost, in US dollars. */
async function performTasks(
  step: PerformingStep,
  { session, stored, survey }: Underway,
): Promise<number> {
  const { records, concurrency, budget, onEvent } = session;
  const ended = new AbortController();
  const signal = AbortSignal.any([session.signal, session.cancel, ended.signal]);
  const id = stepId(step);
  const { resume = "the same command" } = session;
  const fruitless = new Fruitless(`Step ${id}`, {
    hint: `Mend what it says, then go on with: ${resume}\nFinished work is kept; score, judge and calibrate ask again with --retry-unscored what could not be read.`,
    hasAnswer: (await stored.count()).some(({ reason }) => reason === undefined),
  });
  let sum = 0;
  const keeping = new RecordsToKeep(id, { stored, onEvent });
  let failure: { readonly error: unknown } | undefined;
  const isFree = asksNobody(step);
  const { part } = step;
  const who = { step: stepName(step), ...(part === undefined ? {} : { part }) };
  const instant = new InstantTasks((entry) => session.writer.trace({ ...who, ...entry }));
  const tools = { ...session, instant };
  const work = async (task: Task) => {
    const mayAsk = isFree ? budget.over === undefined : await budget.take();
    if (!mayAsk) return ended.abort();
    let spent: Spent = { cost: 0, cached: true, calls: 0, unpriced: 0, forecast: 0 };
    try {
      const made = await performTask(step, task, tools);
      if (made === undefined) return;
      const { record, wasCalled } = made;
      spent = made.spent;
      sum += spent.cost;
      const kept = keeping.add(made, { mayCost: !isFree && !spent.cached && !made.isInstant });
      if (kept !== undefined) await kept;
      if (record.status === "done") fruitless.answered();
      else fruitless.failed({ ...record, wasCalled });
    } finally {
      if (!isFree) budget.put(spent);
    }
  };
  const tasks = wantedTasks(step, { records, stored, survey, signal });
  try {
    await inParallel(tasks, { concurrency, signal, work });
  } catch (error) {
    failure ??= { error };
    ended.abort();
  } finally {
    await tasks.return(undefined);
    for (const one of [keeping, instant]) {
      await one.end().catch((error: unknown) => {
        failure ??= { error };
      });
    }
  }
  if (failure !== undefined) throw failure.error;
  const { planned, wanted } = stored;
  if (wanted === 0) return sum;
  const standing = `with ${planned - wanted} of ${planned} records`;
  if (session.signal.aborted || session.cancel.aborted) throw stopped(session, id, standing);
  if (budget.over !== undefined) throw overBudget(session, id, standing);
  throw new Error(`${id} planned other tasks when it was asked a second time`);
}

/** Asks once. `undefined` where the asking was cancelled. */
export async function performTask(
  step: PerformingStep,
  task: Task,
  {
    run,
    writer,
    cancel,
    pictures,
    now,
    resume,
    forgetReplies,
    onTrace,
    instant,
  }: Omit<TaskTools, "signal"> &
    Pick<StepSession, "cancel" | "now" | "resume" | "forgetReplies"> & {
      readonly instant?: InstantTasks;
    },
): Promise<Performed | undefined> {
  const context = taskContext(task, { run, writer, signal: cancel, pictures, onTrace });
  const started = now();
  const ask = (how: StepContext) => step.perform(task.about, how);
  let record: AnyRecord;
  try {
    const outcome = await askAnew(ask, { context, forget: forgetReplies });
    record = doneRecord({ ...task, ...context.answerer }, outcome);
  } catch (error) {
    if (cancel.aborted) return undefined;
    if (!(error instanceof NoAnswer)) {
      const failed = error instanceof IncompleteError ? toGoOn(error, resume) : error;
      throw named(failed, `${task.step} failed on task ${task.key} ${brief(task.about)}`);
    }
    record = unscoredRecord({ ...task, ...context.answerer }, error);
  }
  const milliseconds = now().getTime() - started.getTime();
  const isInstant = step.asks?.length === 0 && milliseconds === 0 && record.status === "done";
  if (isInstant && instant !== undefined) instant.add(started.getTime());
  else {
    context.trace({
      kind: "asked",
      status: record.status,
      startedAt: started.toISOString(),
      seconds: milliseconds / 1000,
    });
  }
  const { spent, wasCalled } = context;
  return { record, spent, wasCalled, isInstant, traced: context.settled() };
}

/** The same with the command that goes on: a provider that is down does not know which. */
const toGoOn = (error: IncompleteError, resume: string | undefined): IncompleteError =>
  resume === undefined
    ? error
    : new IncompleteError(error.message, {
        hint: `${error.hint === undefined ? "" : `${error.hint}\n`}Go on with: ${resume}`,
        cause: error,
      });

function stopped(session: StepSession, step: string, how: string): IncompleteError {
  return incomplete(session, `was stopped in step ${step}, ${how}`);
}

function overBudget(session: StepSession, step: string, how: string): IncompleteError {
  const { over } = session.budget;
  return incomplete(session, `met its limit of ${over} in step ${step}, ${how}`);
}

function incomplete({ run, resume }: StepSession, what: string): IncompleteError {
  return new IncompleteError(
    `The run in ${run.place} ${what}`,
    resume === undefined ? {} : { hint: `Go on with: ${resume}` },
  );
}

/** The error that also says in which step and task something failed; a full disk has nothing to do with either. */
function named(error: unknown, what: string): Error {
  if (error instanceof InputError) {
    const { hint, problems } = error;
    return new InputError(`${error.message} (${what})`, {
      ...(hint === undefined ? {} : { hint }),
      problems,
      cause: error,
    });
  }
  if (error instanceof TouchstoneError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`${what}: ${message}`, { cause: error });
}

/** A task's subject, as far as it fits a message: hashes by their first digits. */
function brief(about: JsonObject): string {
  const text = canonicalJson(about).replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
