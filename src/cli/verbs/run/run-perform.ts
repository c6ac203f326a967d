import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "../../../core/cache.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import type { DescribedStep, RecipeStep } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openExchange } from "../../../files/exchange/exchange.js";
import { openStore } from "../../../files/open-store.js";
import { schemeOf } from "../../../files/postgres/address.js";
import { openPicture } from "../../../images/picture.js";
import { tasksInHand } from "../../../runs/in-parallel.js";
import { describedStep, type PlanFile, readPlan } from "../../../runs/parts/part-files.js";
import { performPart } from "../../../runs/parts/perform-part.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import { hostingFor } from "../../models/hosting.js";
import { budgetOf, spendingArguments } from "./limits.js";
import { makingOf } from "./run-resume.js";
import { stepMaker } from "./step-maker.js";

export default command({
  description:
    "Performs parts that run plan wrote, on any machine that has the models: needs the exchange, " +
    "not the run. Parts of a run of score, localize or generate over a table also need the table and its images, " +
    "at the same paths. A part that was stopped keeps its answers and asks the rest when it is performed again; " +
    "a part that has its results is left. Performers that share a cache ask nothing twice.",
  examples: [
    "touchstone run perform runs/demo/exchange/tasks/rate-images/00000.parquet",
    "touchstone run perform s3://bucket/demo/tasks/rate-images/00000.parquet --cache s3://bucket/answers --performers 8",
  ],
  arguments: {
    parts: { kind: "positional", repeated: true, description: "parts, as run plan names them" },
    cache: {
      kind: "text",
      value: "PLACE",
      description:
        "where answers of hosted models are kept: a folder, or s3://bucket/prefix (default: " +
        "TOUCHSTONE_CACHE, else as the configuration says)",
    },
    performers: {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 1,
      value: "N",
      description:
        "how many performers work at once: each takes an Nth of --max-calls, --max-cost, and of a model's calls at " +
        "once and a minute",
    },
    ...spendingArguments,
  },
  async run({ given, environment, output }) {
    const { performers } = given;
    const { settings: all } = await loadConfiguration(environment);
    const settings = dividedBy(performers, all);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      cache: given.cache,
      maxCost: given["max-cost"],
      tell: output.note,
    });
    const { "max-calls": calls, "max-cost": cost } = given;
    if (calls !== undefined && calls > 0 && calls < performers) {
      throw new InputError(
        `Expected a call for each of ${performers} performers but received --max-calls ${calls}`,
      );
    }
    const budget = budgetOf({
      ...given,
      "max-calls": calls && Math.floor(calls / performers),
      "max-cost": cost && cost / performers,
    });
    if (performers > 1) output.note(`Limits are divided by ${performers} performers.`);
    const temporary = await mkdtemp(join(tmpdir(), "touchstone-perform-"));
    const done: { part: string; records: number; unscored: number }[] = [];
    const close: (() => Promise<void>)[] = [];
    try {
      /** Makes the steps of an exchange's recipe; the run itself may be out of reach. */
      const makers = new Map<string, () => ReturnType<typeof performerOf>>();
      const performerOf = async (place: string, at: number) => {
        const exchange = openExchange(place, environment.workingDirectory);
        const plan = await readPlan(exchange);
        if (plan === undefined) {
          throw new InputError(
            `Expected what run plan wrote in ${exchange.place} but it is not there`,
          );
        }
        const empty = join(temporary, String(at));
        const run = await emptyRun(empty, plan);
        const { makes } = plan.recipe;
        const { json, debug } = given;
        const making =
          makes &&
          (await makingOf(
            makes,
            { given: { run: empty, json, debug }, environment, output },
            { budget, hosting, performsParts: true },
          ));
        close.push(async () => making?.close?.());
        return { exchange, plan, ...stepMaker(run, { making, settings, hosting, environment }) };
      };
      for (const part of given.parts) {
        const { place, id, at } = placeOfPart(part, environment.workingDirectory);
        const maker = makers.get(place) ?? once(() => performerOf(place, makers.size));
        makers.set(place, maker);
        const { exchange, plan, stepOf, callsAtOnce } = await maker();
        const described = describedStep(plan.recipe, id);
        if (described === undefined) throw foreignPart(part);
        const step = await stepOf(described);
        let records = 0;
        const counted = await performPart({
          plan,
          exchange,
          step,
          at,
          budget,
          meter: hosting.meter,
          concurrency: Math.max(2 * availableParallelism(), tasksInHand(callsAtOnce())),
          signal: environment.signal,
          openPicture,
          onResult: () => output.progress(`${id}: ${++records} records`),
        });
        done.push({ part, ...counted });
      }
    } finally {
      for (const each of close) await each();
      await rm(temporary, { recursive: true, force: true });
      const { over, spent } = budget;
      output.resultJson({ parts: done, spent, ...(over === undefined ? {} : { over }) });
    }
    for (const { part, records, unscored } of done) {
      output.result(`${part}: ${pluralText(records, "record")}, ${unscored} unscored`);
    }
  },
});

/** The settings with each performer's share of what models may be asked: over all it is what was set. */
function dividedBy(performers: number, settings: Configuration): Configuration {
  const share = <Model extends object>(model: Model): Model => ({
    ...model,
    ...Object.fromEntries(
      Object.entries(model).flatMap(([name, limit]) => {
        if (typeof limit !== "number") return [];
        if (name === "concurrency") return [[name, Math.max(1, Math.floor(limit / performers))]];
        return /PerMinute$/.test(name) ? [[name, limit / performers]] : [];
      }),
    ),
  });
  const { models = {} } = settings;
  const shared = Object.entries(models).map(([name, model]) => [name, share(model)] as const);
  return { ...settings, models: Object.fromEntries(shared) };
}

/** A run with a recipe and nothing else, from which steps are made. */
async function emptyRun(directory: string, { recipe }: PlanFile): Promise<RecordStore> {
  const { seed, models, makes, software } = recipe;
  const made = { seed, models, software: software.at(-1) ?? "", ...(makes && { makes }) };
  const run = await openStore(directory, { create: made });
  await (await run.startWriting(recipe.steps.map(described))).close();
  return run;
}

const described = ({ part, inputs, ...step }: RecipeStep): DescribedStep => ({
  ...step,
  ...(part === undefined ? {} : { part }),
  parameters: asJson(step.parameters),
  ...(inputs === undefined ? {} : { inputs: asJson(inputs) }),
});

/** The exchange, the step and the number of a part, by its path. */
function placeOfPart(part: string, workingDirectory: string) {
  const found = /^(.+)[/\\]tasks[/\\]([a-z0-9][a-z0-9-]*)[/\\](\d{5,})\.parquet$/.exec(part);
  const [, place, id, at] = found ?? [];
  if (place === undefined || id === undefined || at === undefined) throw foreignPart(part);
  const isAddress = schemeOf(place) !== undefined;
  return { place: isAddress ? place : resolve(workingDirectory, place), id, at: Number(at) };
}

const foreignPart = (part: string): InputError =>
  new InputError(`Expected a part such as PLACE/tasks/STEP/00000.parquet but received ${part}`, {
    hint: "touchstone run plan RUN --json lists the parts of a run.",
  });
