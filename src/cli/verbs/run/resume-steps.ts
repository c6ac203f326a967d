import { resolve } from "node:path";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { stepKindOf, stepOfRecipe } from "../../../benchmarks/step-kinds.js";
import { isPaintedByLab } from "../../../benchmarks/world.js";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { runPlace } from "../../../files/open-store.js";
import type { Limits } from "../../../runs/budget.js";
import { finishedStep } from "../../../runs/kept-steps.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import type { SanityChoice } from "../../command-line/sanity-arguments.js";
import { wordsOf } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { scoreWords } from "../generate/into-run.js";
import { worldOf } from "./benchmark-of.js";
import { collect } from "./collect.js";
import { recipeSources } from "./recipe-sources.js";
import { reportWords } from "./report-words.js";
import { showSteps } from "./show-steps.js";
import { writeTables } from "./written-tables.js";

/**
 * Collects what the steps of a run's recipe still lack. A finished step that can't be made any more is kept.
 *
 * @throws InputError where one can't be made that is not finished.
 */
export async function resumeSteps(
  opened: RecordStore,
  {
    run,
    limits,
    sanity,
    environment,
    output,
  }: {
    readonly run: string;
    readonly limits: Limits;
    readonly sanity: SanityChoice;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<void> {
  const { recipe } = opened;
  const { settings } = await loadConfiguration(environment);
  const begunWith = (flag: string) => wordsOf(recipe.commands.at(-1) ?? "").includes(flag);
  const hosting = hostingFor(environment, {
    settings: settings.cache,
    useCache: !begunWith("--no-cache"),
    maxCost: limits.cost,
    tell: output.note,
    sanity: {
      isOn: sanity.isOn && !begunWith("--no-sanity"),
      allowsBlind: sanity.allowsBlind || begunWith("--allow-blind"),
    },
  });
  const sources = recipeSources(recipe, { settings, hosting });
  const people = async (study: string, block: string) => {
    const { stepOfPeople } = await import("../score/score-people.js");
    return stepOfPeople(opened, { study, block, ...environment });
  };
  const steps: AnyStep[] = [];
  const kept = new Map<string, StepSummary>();
  for (const described of recipe.steps) {
    const id = stepId(described);
    try {
      steps.push(await stepOfRecipe(recipe, described, { ...sources, people }));
    } catch (error) {
      const summary = error instanceof InputError ? await finishedStep(opened, id) : undefined;
      if (summary === undefined) throw unmade(error, recipe.commands.at(-1));
      output.note(
        `${stepKindOf(described)?.title ?? id}: kept as it was finished. ${(error as InputError).message}`,
      );
      kept.set(id, summary);
    }
  }
  const { store, summaries } = await collect(() => steps, {
    run,
    seed: recipe.seed,
    limits,
    callsAtOnce: sources.callsAtOnce(),
    meter: hosting.meter,
    environment: { ...environment, resumes: true },
    output,
  });
  const benchmark = benchmarkOf(recipe);
  if (benchmark?.build?.isComplete === true) {
    const tables = await benchmark.tables?.(store, { name: run, world: await worldOf(recipe) });
    if (tables !== undefined) await writeTables(tables, resolve(runPlace(run, environment)));
  }
  const all = new Map([...kept, ...summaries.map((each) => [each.step, each] as const)]);
  await showSteps(store, {
    run,
    summaries: recipe.steps.flatMap((step) => all.get(stepId(step)) ?? []),
    done: "done",
    output,
  });
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
