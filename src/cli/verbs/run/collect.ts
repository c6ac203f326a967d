import { availableParallelism } from "node:os";
import { z } from "zod";
import { stepKindOf } from "../../../benchmarks/step-kinds.js";
import { AnswererCounts } from "../../../core/answered-by.js";
import { IncompleteError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { bareName } from "../../../core/models.js";
import type { RunMakes } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { isHidden } from "../../../files/hidden-runs.js";
import { openStore, runPlace, shownPath } from "../../../files/open-store.js";
import type { KnownFiles } from "../../../images/known-files.js";
import { openPicture } from "../../../images/picture.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import { Budget } from "../../../runs/budget.js";
import { checkRun } from "../../../runs/check-run.js";
import { tasksInHand } from "../../../runs/in-parallel.js";
import { type AskingAgain, runSteps } from "../../../runs/run-steps.js";
import { pluralText } from "../../../views/number-text.js";
import type { CollectedRun, Making } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import { version } from "../../program.js";
import type { Journey, JourneyStep } from "../../terminal/journey.js";
import type { Output } from "../../terminal/output.js";
import { progress } from "../../terminal/progress.js";
import { Spending } from "../score/spending.js";
import { forecastText, itemProgress, type ToldItems } from "./item-progress.js";

export interface Collection {
  /** The folder of the run, as the user named it. */
  readonly run: string;
  /** The words after `touchstone` that go on with this; none where the recipe alone does. */
  readonly command?: readonly string[];
  /** Not given where a run that stands is gone on with. */
  readonly seed?: number;
  readonly models?: readonly string[];
  /** What is made of the run; not given where it is collected and no more. */
  readonly makes?: RunMakes;
  /** Shared by all that one command collects; without limits where not given. */
  readonly budget?: Budget;
  /** Where a command that collects several runs stands in all that it does. */
  readonly journey?: Journey | undefined;
  /** Whether steps that were finished otherwise than they are now are kept. */
  readonly keepsFinished?: boolean | undefined;
  /** The words that go on with it, where that is not `run resume`: the run is a part of something. */
  readonly resume?: readonly string[];
  /** How many calls the models take at once, where they are reached over the network. */
  readonly callsAtOnce?: number;
  /** Counts calls before they are made. */
  readonly meter?: CallMeter;
  /** Where the files of images were looked at. */
  readonly known?: KnownFiles | undefined;
  /** Says what is asked again. */
  readonly again?: AskingAgain | undefined;
  /** Of a run about the items of a table or a folder; whoever collects it says what came of it. */
  readonly items?: ToldItems | undefined;
  readonly environment: Environment;
  readonly output: Output;
}

/** Opens the run, makes it where there is none, and collects what its steps still lack. */
export async function collect(
  steps: (store: RecordStore) => readonly AnyStep[],
  {
    run,
    command,
    seed,
    models = [],
    makes,
    budget = new Budget({}),
    journey,
    keepsFinished = false,
    resume = ["touchstone", "run", "resume", run],
    callsAtOnce = 0,
    meter,
    known,
    again = {},
    items,
    environment,
    output,
  }: Collection,
): Promise<CollectedRun> {
  const place = runPlace(run, environment);
  const standing = seed === undefined ? await openStore(place, { mayLack: true }) : undefined;
  const create = {
    ...(command === undefined ? {} : { command: shellWords(["touchstone", ...command]) }),
    seed: seed ?? standing?.recipe.seed ?? 0,
    software: `touchstone-t2i ${version()}`,
    models,
    ...(makes === undefined ? {} : { makes }),
  };
  const store = await openStore(place, { create });
  const all = steps(store);
  const { signal } = environment;
  const spending = new Spending();
  const show =
    items === undefined
      ? progress({
          output,
          environment,
          journey,
          limits: budget.limits,
          titles: new Map(outlineOf(all).map(({ id, title }) => [id, title])),
        })
      : itemProgress(items, { spending, limits: budget.limits, environment, output });
  // Twice as many tasks as processors: while some wait for a model others read and write.
  const concurrency = Math.max(2 * availableParallelism(), tasksInHand(callsAtOnce));
  let stopped: IncompleteError | undefined;
  let unplanned = 0;
  const summaries = await runSteps({
    run: store,
    steps: all,
    concurrency,
    signal,
    budget,
    resume: shellWords(resume),
    keepsFinished,
    ...(items?.cancels === true ? { cancel: signal } : {}),
    ...(meter === undefined ? {} : { meter }),
    ...(known === undefined ? {} : { known }),
    ...again,
    openPicture,
    onTrace: spending.note,
    onEvent(event) {
      if (event.kind === "step-finished") unplanned += event.unplanned ?? 0;
      show(event);
    },
  }).catch(async (error: unknown) => {
    await items?.explain?.();
    if (items === undefined || !(error instanceof IncompleteError)) throw error;
    stopped = error;
    return [];
  });
  if (unplanned > 0 && items !== undefined && !isHidden(place)) {
    output.warn(
      `${pluralText(unplanned, "record")} of other items went to the trace of ${shownPath(place, environment)}. Another --run keeps both.`,
    );
  }
  if (stopped !== undefined && budget.over === undefined) {
    return { store, summaries, spending, stopped };
  }
  await meter?.sights?.recall(all.flatMap(({ asks = [] }) => asks));
  if (items === undefined) for (const text of meter?.sights?.texts() ?? []) output.warn(`${text}.`);
  const sanity =
    meter?.sights?.isOn === true
      ? await checkRun(store, {
          steps: all,
          meter,
          budget,
          signal,
          openPicture,
          concurrency: Math.max(4, tasksInHand(callsAtOnce)),
          ...(items?.nameOf && { nameOf: items.nameOf }),
          onTrace: spending.note,
          onForecast: (metric, foreseen) => {
            const { calls, cost = null } = foreseen;
            output.foresee({ what: `Placebos of ${metric}`, tasks: calls, calls, cost });
            output.note(`Placebos of ${metric}: ${forecastText(foreseen, budget.limits)}`);
          },
        })
      : undefined;
  if (items !== undefined) return { store, summaries, sanity, spending, stopped };
  if (sanity !== undefined) output.result(`${sanity.verdict}\n`);
  const told = callsAtOnce === 0 ? [] : await answererTexts(store, all);
  for (const text of told) output.warn(`${text}. Records say which.`);
  return { store, summaries, sanity, spending };
}

/** A run that a verb is about to collect, and what it makes of it. */
export interface PreparedRun extends Making {
  steps(store: RecordStore): readonly AnyStep[];
  readonly asked: Omit<Collection, "callsAtOnce" | "items">;
}

/** Collects a run, and makes of it what its verb makes. */
export async function collectAndConclude({
  steps,
  asked,
  callsAtOnce = 0,
  items,
  conclude,
  close,
}: PreparedRun): Promise<void> {
  try {
    await conclude(await collect(steps, { ...asked, callsAtOnce, items }));
  } finally {
    await close?.();
  }
}

/** Sentences on who answered under another name than was asked, in this session and in those before. */
async function answererTexts(store: RecordStore, steps: readonly AnyStep[]): Promise<string[]> {
  const counts = new AnswererCounts();
  for (const step of steps) {
    for await (const record of store.ofStep(stepId(step))) {
      if (record.status === "done") counts.note({ model: "", ...record });
    }
  }
  return [counts.othersText ?? [], counts.changeTexts].flat();
}

/** Of a score that looks at each entity of a picture by itself. */
const localizedCost = 60;
/** Of a step of somebody's own. */
const unknownCost = 13;

/** Parts of a step that its outline depends on. */
interface OutlinedStep {
  readonly name: string;
  readonly version: number;
  readonly part?: string;
  readonly parameters?: JsonObject;
  readonly asks?: readonly string[];
}

/** The round of a judge that asks in several, and the painter whose images a step is about. */
const outlinedParameters = z.object({
  round: z.number().optional(),
  generator: z.object({ provider: z.string().optional(), model: z.string() }).optional(),
});

/** Step after a run is collected. */
export const drawingConclusions: JourneyStep = {
  id: "conclusions",
  title: "Drawing conclusions, plots and pages",
  cost: 20,
};

/** Steps as people are told of them; what they cost is beside each other, over as many items. */
export function outlineOf(steps: readonly OutlinedStep[]): JourneyStep[] {
  const looked = new Set<string>();
  return steps.map((step) => {
    const id = stepId(step);
    const { title = id, cost = unknownCost } = stepKindOf(step) ?? {};
    const { metric, convention, model } = step.parameters ?? {};
    if (metric === undefined || step.part === undefined) {
      return { id, title: title === id ? id : `${title}${detailsOf(step)}`, cost };
    }
    const models = `${model}`.replaceAll(/@[^ ]*/g, "").replace(/ \/ .*$/, "");
    const name = [metric, convention].filter((word) => word !== undefined).join(" ");
    // Who looks at the same crops as another before it finds them answered.
    const [, strategy] = `${convention}`.split(":");
    const look = `${models} ${strategy}`;
    const isNew = metric === "localized-vqa-score" && strategy !== "none" && !looked.has(look);
    looked.add(look);
    return { id, title: `${title}: ${name} with ${models}`, cost: isNew ? localizedCost : cost };
  });
}

/** ", round 2 (lab:judge)": what tells steps of one kind apart. */
function detailsOf({ part, parameters = {}, asks = [] }: OutlinedStep): string {
  if (part === undefined) return "";
  const { round, generator } = outlinedParameters.parse(parameters);
  const [asked = part] = asks;
  const painter = [generator?.provider, generator?.model].filter((word) => word !== undefined);
  const who = bareName(painter.length === 0 ? asked : painter.join(":"));
  return `${round === undefined ? "" : `, round ${round}`} (${who})`;
}
