import { resolve } from "node:path";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { stepKindOf } from "../../../benchmarks/step-kinds.js";
import { isPaintedByLab } from "../../../benchmarks/world.js";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { runPlace } from "../../../files/open-store.js";
import { finishedStep } from "../../../runs/kept-steps.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import type { CollectedRun, Making, Means } from "../../command-line/command.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { scoreWords } from "../generate/into-run.js";
import { worldOf } from "./benchmark-of.js";
import { collect } from "./collect.js";
import { reportWords } from "./report-words.js";
import { showSteps } from "./show-steps.js";
import { stepMaker } from "./step-maker.js";
import { writeTables } from "./written-tables.js";

/**
 * Collects what the steps of a run's recipe still lack. A finished step that can't be made any more is kept.
 *
 * @param making what is made of the run, where its recipe says so
 * @throws InputError where one can't be made that is not finished.
 */
export async function resumeSteps(
  opened: RecordStore,
  {
    run,
    making,
    settings,
    means: { budget, hosting },
    environment,
    output,
  }: {
    readonly run: string;
    readonly making: Making | undefined;
    readonly settings: Configuration;
    readonly means: Omit<Means, "run">;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<CollectedRun> {
  const { recipe } = opened;
  const made = { making, settings, hosting, environment };
  const { stepOf, callsAtOnce } = stepMaker(opened, made);
  const steps: AnyStep[] = [];
  const kept = new Map<string, StepSummary>();
  for (const described of recipe.steps) {
    const id = stepId(described);
    try {
      steps.push(await stepOf(described));
    } catch (error) {
      const summary = error instanceof InputError ? await finishedStep(opened, id) : undefined;
      if (summary === undefined) throw unmade(error, recipe.commands.at(-1));
      output.note(
        `${stepKindOf(described)?.title ?? id}: kept as it was finished. ${(error as InputError).message}`,
      );
      kept.set(id, summary);
    }
  }
  const { summaries, ...collected } = await collect(() => steps, {
    run,
    seed: recipe.seed,
    budget,
    keepsFinished: true,
    callsAtOnce: callsAtOnce(),
    meter: hosting.meter,
    items: making?.items,
    environment,
    output,
  });
  const benchmark = benchmarkOf(recipe);
  if (benchmark?.build?.isComplete === true) {
    const tables = await benchmark.tables?.(collected.store, {
      name: run,
      world: await worldOf(recipe),
    });
    if (tables !== undefined) await writeTables(tables, resolve(runPlace(run, environment)));
  }
  const all = new Map([...kept, ...summaries.map((each) => [each.step, each] as const)]);
  return { ...collected, summaries: recipe.steps.flatMap((step) => all.get(stepId(step)) ?? []) };
}

/** Prints how the steps of a run stand, and the command that follows. */
export async function showResumed(
  { store, summaries }: CollectedRun,
  {
    run,
    environment,
    output,
  }: { readonly run: string; readonly environment: Environment; readonly output: Output },
): Promise<void> {
  await showSteps(store, { run, summaries, done: "done", output });
  const { recipe } = store;
  const made = new Set(recipe.steps.map(({ produces }) => produces));
  if (made.has("score")) output.nextCommand(await reportWords(run, store));
  else if (!made.has("image")) output.nextCommand(["generate", "--run", run]);
  else output.nextCommand(await scoreWords(run, isPaintedByLab(recipe), environment));
}

/** The error of a step that can't be made from the recipe, with the command that makes it. */
function unmade(error: unknown, command: string | undefined): unknown {
  if (!(error instanceof InputError)) return error;
  const { message, problems, hint } = error;
  const again =
    command === undefined ? [] : [`The command that began it goes on with it: ${command}`];
  return new InputError(message, {
    problems,
    hint: [...(hint === undefined ? [] : [hint]), ...again].join("\n"),
    cause: error,
  });
}
