import { isAbsolute } from "node:path";
import { IncompleteError, Planned, TouchstoneError } from "../core/errors.js";
import type { JsonObject } from "../core/json.js";
import type { Picture } from "../core/models.js";
import type { BlobStore, RecordStore } from "../core/record-store.js";
import type { AnyRecord, RecordType } from "../core/records.js";
import { type AnyStep, type Records, type RunEvent, stepId } from "../core/step.js";
import type { KnownFiles } from "../images/known-files.js";
import { isPlain } from "../images/picture.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { beginAnew, endAnew, type ForgetReplies } from "./ask-anew.js";
import { Budget } from "./budget.js";
import { costsOfCalls } from "./call-costs.js";
import { OpenedPictures } from "./opened-pictures.js";
import { asksNobody, foresee, type PerformingStep, runStep, type StepSession } from "./run-step.js";
import { surveyPlan } from "./step-plan.js";
import { type KeptStep, keptSteps, type StepSummary } from "./step-summary.js";

export type { StepSummary } from "./step-summary.js";

/** How records that exist are asked for again. */
export type AskingAgain = Pick<RunOptions, "asksAgain" | "beginsAnew" | "forgetReplies">;

export interface RunOptions {
  readonly run: RecordStore;
  /** In the order in which they are to be gone over; their names differ. */
  readonly steps: readonly AnyStep[];
  /** Ids of further steps whose records none may read. */
  readonly hides?: readonly string[];
  /** How many tasks may be in hand at a time. */
  readonly concurrency?: number;
  /** Once aborted no new task is taken; those in hand are finished and kept. */
  readonly signal?: AbortSignal;
  /** Once aborted the tasks in hand are told to stop too, and lost. */
  readonly cancel?: AbortSignal;
  /** The budget; where it is at its limit the run stops as if `signal` had been aborted. */
  readonly budget?: Budget;
  /** Counts the calls of a step before it is begun. */
  readonly meter?: CallMeter;
  /** The command that goes on with the run; where not given, the last one that its recipe names. */
  readonly resume?: string;
  /** Whether steps that were finished otherwise than they are now are kept; see `keptSteps`. */
  readonly keepsFinished?: boolean;
  /** Whether all that the steps hold is asked for anew; where that was stopped, what was asked since stays. */
  readonly beginsAnew?: boolean;
  /** Which records are asked for as if they had never been made. */
  readonly asksAgain?: ((record: AnyRecord) => boolean) | undefined;
  /** Forgets replies that are kept, where these gave no answer that can be read; then asks again. */
  readonly forgetReplies?: ForgetReplies | undefined;
  /** Receives every note for the trace as it is made. */
  readonly onTrace?: (entry: JsonObject) => void;
  /** Receives every event as it happens. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  /** Files that were looked at: while they stand, no image of theirs is read before it is used. */
  readonly known?: KnownFiles;
  /** The time, for the trace and the seconds of the summary; never for records. */
  readonly now?: () => Date;
}

/**
 * The one loop: goes over the steps in their order, asks for what the run lacks, and keeps each
 * record the moment it exists. Going over a finished run asks for nothing.
 *
 * @throws Planned where the budget is for planning alone: the recipe is then written.
 * @throws IncompleteError when `signal`, a limit or a full disk stopped it: the hint holds the
 *   command that goes on.
 * @throws InputError where the steps contradict what the run was made with, or another process works
 *   on the run.
 * @throws whatever a task failed with that is not `NoAnswer`, with step and task named; what was
 *   finished by then is kept.
 */
export async function runSteps(options: RunOptions): Promise<StepSummary[]> {
  const { run, steps } = options;
  const ids = steps.map(stepId);
  if (new Set(ids).size < ids.length) {
    throw new RangeError(`Expected steps of different names but received ${ids.join(", ")}`);
  }
  try {
    return await goOver(options, ids);
  } catch (error) {
    if (!(error instanceof TouchstoneError) || !["disk", "store"].includes(error.code)) throw error;
    const resume = options.resume ?? run.recipe.commands.at(-1);
    const goOn = resume === undefined ? "" : `, then go on with: ${resume}`;
    throw new IncompleteError(error.message, {
      hint: `${error.code === "disk" ? "Free some space" : "See that the database can be reached"}${goOn}\nFinished work is kept.`,
      cause: error,
    });
  }
}

async function goOver(options: RunOptions, ids: readonly string[]): Promise<StepSummary[]> {
  const { run, steps, resume } = options;
  const never = new AbortController().signal;
  const now = options.now ?? (() => new Date());
  const budget = options.budget ?? new Budget({});
  const kept =
    options.keepsFinished === true ? await keptSteps(run, steps) : new Map<string, KeptStep>();
  const writer = await run.startWriting(steps.filter((step) => !kept.has(stepId(step))));
  const { known } = options;
  const pictures = new OpenedPictures(async (image) => {
    const unread = await known?.picture(image);
    return unread ?? withFile(await options.openPicture(await run.blobs.read(image)), run.blobs);
  });
  let isOver = false;
  try {
    if (budget.isPlan) throw new Planned({ run: run.place, steps: run.recipe.steps.map(stepId) });
    if (options.beginsAnew === true) await beginAnew(run, { writer, steps: ids });
    const summaries: StepSummary[] = [];
    for (const [position, step] of steps.entries()) {
      const asItWas = kept.get(stepId(step));
      if (asItWas !== undefined) {
        const { summary, differences } = asItWas;
        options.onEvent?.({ kind: "step-kept", step: summary.step, differences });
        summaries.push(summary);
        continue;
      }
      const sessionOf = (one: AnyStep) => ({
        writer,
        run,
        // Neither its own half-finished records nor later steps' may sway what a step plans.
        records: run.without([...ids.slice(steps.indexOf(one)), ...(options.hides ?? [])]),
        concurrency: options.concurrency ?? 4,
        signal: options.signal ?? never,
        cancel: options.cancel ?? never,
        budget,
        resume: resume ?? run.recipe.commands.at(-1),
        meter: options.meter,
        asksAgain: options.asksAgain,
        forgetReplies: options.forgetReplies,
        costOfCall: costsOfCalls(run),
        onEvent: options.onEvent ?? (() => {}),
        onTrace: options.onTrace ?? (() => {}),
        pictures,
        known,
        now,
      });
      try {
        summaries.push(await runStep(step, sessionOf(step)));
      } catch (error) {
        // Whoever allows no call wants to know what all steps would ask.
        const isForecast = budget.limits.calls === 0 && error instanceof IncompleteError;
        if (isForecast && options.signal?.aborted !== true) {
          const rest = steps.slice(position + 1).filter((one) => !kept.has(stepId(one)));
          await foreseeSteps(rest, { sessionOf, lacking: step.produces });
        }
        throw error;
      }
    }
    await endAnew(run);
    isOver = true;
    return summaries;
  } finally {
    // What failed before is what is to be told, not what fails because of it.
    const closed = writer.close();
    await (isOver ? closed : closed.catch(() => {}));
  }
}

/** Tells a picture's file to those who can read it themselves, where it is plain. */
async function withFile(picture: Picture, blobs: BlobStore): Promise<Picture> {
  if (picture.file !== undefined || !(await isPlain(picture))) return picture;
  const file = await blobs.addressOf(picture.hash);
  return file === undefined || !isAbsolute(file) ? picture : { ...picture, file };
}

/**
 * Tells of steps that may ask nothing, as far as what they plan from is there.
 *
 * @param lacking types of records that steps before them still have to make
 */
async function foreseeSteps(
  steps: readonly AnyStep[],
  {
    sessionOf,
    lacking,
  }: { readonly sessionOf: (step: AnyStep) => StepSession; readonly lacking: RecordType },
): Promise<void> {
  const missing = new Set<RecordType>([lacking]);
  for (const typed of steps) {
    const step = typed as unknown as PerformingStep;
    const session = sessionOf(typed);
    const asked = new Set<RecordType>();
    const records: Records = {
      ofType(type) {
        asked.add(type);
        return session.records.ofType(type);
      },
    };
    const { onEvent, writer, signal } = session;
    const stored = await writer.openStep(stepId(typed));
    try {
      const survey = await surveyPlan(step, { records, stored, signal });
      const { planned: total, wanted } = stored;
      const isForeseen = ![...asked].some((type) => missing.has(type));
      if (isForeseen) {
        const found = await foresee(step, { session, stored, survey });
        const counts = {
          total,
          reused: total - wanted,
          reusedUnscored: {},
          isFree: asksNobody(step),
        };
        const forecast = found === undefined ? {} : { forecast: found };
        onEvent({ kind: "step-planned", step: stepId(typed), ...counts, ...forecast });
      } else onEvent({ kind: "step-unforeseen", step: stepId(typed) });
      if (!isForeseen || wanted > 0) missing.add(step.produces);
    } finally {
      await stored.close();
    }
  }
}
