import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { stepKindOf } from "../../../benchmarks/step-kinds.js";
import { isPaintedByLab } from "../../../benchmarks/world.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { flagValue, type Given } from "../../../core/options.js";
import type { RunMakes } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { openStore, runPlace, takeOverRun } from "../../../files/open-store.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { finishedStep } from "../../../runs/step-summary.js";
import {
  type CollectedRun,
  type Command,
  command,
  type Invocation,
  invocationOf,
  type Making,
  type Means,
} from "../../command-line/command.js";
import { runArgument, sanityArguments, sanityOf } from "../../command-line/shared-arguments.js";
import { wordsOf } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import { labVerb } from "../../lab.js";
import { hostingFor } from "../../models/hosting.js";
import { exitCodes } from "../../report-error.js";
import type { Output } from "../../terminal/output.js";
import { scoreWords } from "../generate/into-run.js";
import { reportWords, worldOf } from "./benchmark-of.js";
import { collect } from "./collect.js";
import { budgetOf, spendingArguments } from "./limits.js";
import { showSteps } from "./show-steps.js";
import { stepMaker } from "./step-maker.js";
import { writeTables } from "./written-report.js";

/** Where a run is collected, if not here. */
const engineArguments = {
  on: {
    kind: "choice",
    choices: ["ray", "spark", "dask"],
    value: "ENGINE",
    description: "ask on this engine, by the Python package: pip install 'touchstone-t2i[ray]'",
  },
  performers: {
    kind: "number",
    integer: true,
    minimum: 1,
    value: "N",
    description: "with --on: how many performers work at once (default: one a processor)",
  },
  exchange: {
    kind: "text",
    value: "PLACE",
    description:
      "with --on: where tasks and results lie, a folder that all machines mount or s3://bucket/prefix " +
      "(default: the folder exchange of the run)",
  },
} as const;

const resumeArguments = {
  run: runArgument,
  ...sanityArguments,
  ...spendingArguments,
  ...engineArguments,
  "take-over": {
    kind: "switch",
    description:
      "go on although a process of another machine holds the run: you know that it no longer exists",
  },
} as const;

export default command({
  description:
    "Resumes a run as its recipe (run.json) describes it: asks for what is missing, and again " +
    "for what had no answer but may have one now. Finished parts are never asked again, even " +
    "if a newer version would ask differently; missing or damaged images are made again. A " +
    "demo, an audit and a judge's run also conclude again. Paths in the recipe are relative " +
    "to the current folder; the run may have moved.",
  examples: [
    "touchstone run resume runs/demo",
    "touchstone run resume runs/benchmark --max-calls 1000",
    "touchstone run resume runs/benchmark --on ray --performers 8 --exchange /shared/benchmark",
  ],
  arguments: resumeArguments,
  async run(invocation) {
    const { given, environment, output } = invocation;
    const { run } = given;
    const place = runPlace(run, environment);
    if (given["take-over"]) await takeOverRun(place);
    if (given.on !== undefined) await collectOnEngine({ ...given, on: given.on }, environment);
    const store = await openStore(place, { mayLack: true });
    const { makes } = store.recipe;
    const { settings } = await loadConfiguration(environment);
    const begunWith = (flag: string) => wordsOf(store.recipe.commands.at(-1) ?? "").includes(flag);
    const sanity = sanityOf(given);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      useCache: !begunWith("--no-cache"),
      maxCost: given["max-cost"],
      tell: output.note,
      sanity: {
        isOn: sanity.isOn && !begunWith("--no-sanity"),
        allowsBlind: sanity.allowsBlind || begunWith("--allow-blind"),
      },
    });
    const means = { budget: budgetOf(given), hosting };
    const making = makes && (await makingOf(makes, invocation, means));
    try {
      const resuming = { run, making, settings, means, environment, output };
      const collected = await resumeSteps(store, resuming);
      await (making?.conclude(collected) ?? showResumed(collected, { run, environment, output }));
    } finally {
      await making?.close?.();
    }
  },
});

/** Verbs that make something of a run: a judge, an audit's figures, a demo's chapters. */
const verbs: Readonly<Record<string, () => Promise<{ readonly default: Command }>>> = {
  demo: labVerb("demo"),
  calibrate: () => import("../calibrate/calibrate.js"),
  judge: () => import("../judge/judge.js"),
  audit: () => import("../audit/audit.js"),
  score: () => import("../score/score.js"),
  generate: () => import("../generate/generate.js"),
  localize: () => import("../localize/localize.js"),
};

/** What is made of a run, wherever it lies now. A flag that is newer than its recipe has its default. */
export async function makingOf(
  { verb, given }: RunMakes,
  {
    given: { run, json, debug, ...limits },
    environment,
    output,
  }: Pick<Invocation<typeof resumeArguments>, "environment" | "output"> & {
    readonly given: Pick<Invocation<typeof resumeArguments>["given"], "run" | "json" | "debug">;
  },
  means: Omit<Means, "run">,
): Promise<Making | undefined> {
  // Verbs move below others: "localize" became "metrics localize".
  const own = verb.split(" ").at(-1) ?? verb;
  const load = Object.hasOwn(verbs, own) ? verbs[own] : undefined;
  if (load === undefined) return undefined;
  const { default: command } = await load();
  const known = { ...given, ...limits, run, json, debug };
  const newer = Object.entries(command.arguments).flatMap(([name, argument]) =>
    Object.hasOwn(known, name) || argument.kind === "positional"
      ? []
      : [[name, flagValue(name, argument, undefined, verb)] as const],
  );
  const values = { ...Object.fromEntries(newer), ...known };
  const invocation = invocationOf({ name: verb, command }, { given: values, environment, output });
  return command.make?.(invocation, { ...means, run });
}

/**
 * Collects what the steps of a run's recipe still lack. A finished step that can't be made any more is kept.
 *
 * @param making what is made of the run, where its recipe says so
 * @throws InputError where one can't be made that is not finished.
 */
async function resumeSteps(
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
async function showResumed(
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

type Engine = Given<typeof engineArguments & typeof spendingArguments> & {
  readonly on: string;
  readonly run: string;
};

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Collects a run's steps on an engine: the Python package plans, has the engine perform, and finishes.
 *
 * @throws InputError where there is no Python with the package, or the engine refuses; IncompleteError where it
 *   was stopped
 */
async function collectOnEngine(
  { on, run, performers, exchange, ...limits }: Engine,
  { variables, workingDirectory, stderr, signal }: Environment,
): Promise<void> {
  const python = variables.TOUCHSTONE_PYTHON || "python3";
  const asked = {
    path: run,
    on,
    performers,
    exchange,
    max_calls: limits["max-calls"],
    max_cost: limits["max-cost"],
    max_minutes: limits["max-minutes"],
  };
  const child = spawn(python, ["-m", "touchstone_t2i.engines", JSON.stringify(asked)], {
    cwd: workingDirectory,
    env: { TOUCHSTONE_ROOT: root, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
    stderr.write(text);
  });
  const ended = await new Promise<number | string | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", (code, killed) => resolve(code ?? killed));
  });
  signal.removeEventListener("abort", stop);
  if (ended === 0) return;
  if (ended === null || /No module named .?touchstone_t2i/.test(said)) {
    throw new InputError(
      `Expected the Python package touchstone-t2i for ${python} but it is not there`,
      {
        hint: `pip install 'touchstone-t2i[${on}]'; TOUCHSTONE_PYTHON names another Python`,
      },
    );
  }
  const how = typeof ended === "number" ? `ended with exit code ${ended}` : `was ended by ${ended}`;
  const failed = `The engine ${on} did not collect ${run}: it ${how}`;
  if (ended === exitCodes.input) throw new InputError(failed);
  throw new IncompleteError(failed, {
    hint: "Give the same command again: parts that have results are not asked again.",
  });
}
