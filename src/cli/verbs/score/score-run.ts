import type { ScoreOptions } from "../../../benchmarks/benchmark.js";
import { benchmarks } from "../../../benchmarks/benchmarks.js";
import { withInputs } from "../../../benchmarks/step-kind.js";
import { InputError } from "../../../core/errors.js";
import { type Metric, modelsBehind } from "../../../core/metric.js";
import type { Recipe } from "../../../core/recipe.js";
import type { AnyStep } from "../../../core/step.js";
import { hasStore, openStore, runPlace } from "../../../files/open-store.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import type { AskingAgain } from "../../../runs/run-steps.js";
import { refuseDefects } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { benchmarkWith, reportWords, worldOf } from "../run/benchmark-of.js";
import { collect } from "../run/collect.js";
import { retryOfRun } from "../run/retry-unscored.js";
import { showSteps } from "../run/show-steps.js";
import type { ChosenMetric } from "./metric-choice.js";
import { mostlyUnscored } from "./mostly-unscored.js";

/** Whether a run stands there, whose images are scored against the texts of their prompts. */
export const isRun = async (source: string, environment: Environment): Promise<boolean> =>
  hasStore(runPlace(source, environment));

/**
 * Scores the images of a run into the run: by `metrics` against the texts of their prompts, by
 * `rater` (the filtration of ProtoBias) and by the lab's truth against their own sentences.
 */
export async function scoreRun({
  run,
  chosen,
  rater,
  keepFrom,
  judgesPhotographs,
  inputsOf,
  again,
  command,
  budget,
  callsAtOnce,
  meter,
  askAgain,
  failOn,
  environment,
  output,
}: {
  readonly run: string;
  readonly chosen: readonly ChosenMetric[];
  readonly rater: Metric | undefined;
  readonly keepFrom: number | undefined;
  readonly judgesPhotographs: boolean;
  /** Facts by which a metric is found again, beside its parameters. */
  readonly inputsOf: (metric: string) => Parameters<typeof withInputs>[1];
  /** The command that scores by the metrics that are named so. */
  readonly again: (names: readonly string[]) => string | undefined;
  readonly command: readonly string[];
  readonly budget: Budget;
  readonly callsAtOnce: number;
  readonly meter: CallMeter;
  readonly askAgain: AskingAgain;
  readonly failOn: Parameters<typeof refuseDefects>[0];
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const world = await worldOf(await recipeWithImages(run, environment));
  const metrics = chosen.map(({ metric }) => metric);
  const { store, summaries, sanity } = await collect(
    ({ recipe }) =>
      stepsFor(recipe, { rater, keepFrom, metrics, world }).map((step) =>
        withInputs(step, inputsOf(String(step.parameters.metric))),
      ),
    {
      run,
      command,
      models: modelsOf(rater, metrics),
      budget,
      callsAtOnce,
      meter,
      again: askAgain,
      environment,
      output,
    },
  );
  const examples = await showSteps(store, { run, summaries, done: "scored", sanity, output });
  const retry = retryOfRun(summaries, meter);
  if (retry !== undefined) output.note(retry);
  const examplesOfMetrics = examples.slice(-chosen.length);
  const outcomes = summaries.slice(-chosen.length).map((summary, at) => ({
    name: chosen[at]?.name ?? "",
    scored: summary.done,
    reasons: summary.unscored,
    example: examplesOfMetrics[at],
  }));
  const few = mostlyUnscored(outcomes, { judgesPhotographs, again });
  if (few !== undefined) throw few;
  refuseDefects(failOn, sanity);
  output.nextCommand(await reportWords(run, store));
}

/** The steps that score a run, by its benchmark. */
function stepsFor(recipe: Recipe, options: ScoreOptions): AnyStep[] {
  const benchmark = benchmarkWith(recipe, "score");
  if (options.rater !== undefined && benchmark.hasFilter !== true) {
    const names = benchmarks.flatMap(({ name, hasFilter }) => (hasFilter === true ? [name] : []));
    throw new InputError(
      `Expected a run of ${names.join(" or ")} for --rate-with but received another`,
      { hint: `Images of ${benchmark.name} are not filtered.` },
    );
  }
  return benchmark.score(options);
}

/** Whom scoring asks; a metric of the user's own may have no model. */
function modelsOf(rater: Metric | undefined, metrics: readonly Metric[]): string[] {
  const asked = rater === undefined ? metrics : [rater, ...metrics];
  return [...new Set(asked.flatMap(modelsBehind))];
}

/** Scoring fixes the metrics of a run, so it must not begin on nothing. */
async function recipeWithImages(run: string, environment: Environment): Promise<Recipe> {
  const store = await openStore(runPlace(run, environment), { mayLack: true });
  for await (const image of store.ofType("image")) if (image.status === "done") return store.recipe;
  throw new InputError(`Expected a run with images but received ${run}, which has none`, {
    hint: `Make them first: ${shellWords(["touchstone", "generate", "--run", run])}`,
  });
}
