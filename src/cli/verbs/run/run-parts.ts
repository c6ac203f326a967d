import { join } from "node:path";
import { IncompleteError, InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyStep } from "../../../core/step.js";
import { type Exchange, openExchange } from "../../../files/exchange/exchange.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { openPicture } from "../../../images/picture.js";
import { Budget } from "../../../runs/budget.js";
import { finishParts } from "../../../runs/parts/finish-parts.js";
import { describedStep } from "../../../runs/parts/part-files.js";
import { planParts } from "../../../runs/parts/plan-parts.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { makingOf } from "./run-resume.js";
import { stepMaker } from "./step-maker.js";

/** Where the tasks of a run and their results lie. */
const exchangeArgument = {
  exchange: {
    kind: "text",
    value: "PLACE",
    description:
      "where tasks and results lie: a folder that all machines mount, or s3://bucket/prefix " +
      "(default: the folder exchange of the run)",
  },
} as const;

/** Opens the exchange of a run. */
const exchangeOf = (
  { run, exchange }: { readonly run: string; readonly exchange: string | undefined },
  environment: Environment,
): Exchange =>
  openExchange(
    exchange ?? join(runPlace(run, environment), "exchange"),
    environment.workingDirectory,
  );

export const plan = command({
  description:
    "Plans what a run still asks, for other machines: writes the tasks of every step whose inputs " +
    "are finished as Parquet parts (tasks/STEP/00000.parquet), with the images they need. Steps " +
    "that ask no model are collected here. Any machine performs a part with run perform; run " +
    "finish takes the results in. Then plan again: later steps follow from the results.",
  examples: [
    "touchstone run plan runs/demo",
    "touchstone run plan runs/demo --exchange s3://bucket/demo --part-size 256",
  ],
  arguments: {
    run: runArgument,
    ...exchangeArgument,
    "part-size": {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 64,
      value: "N",
      description: "tasks of a part",
    },
  },
  async run(invocation) {
    const { given, environment, output } = invocation;
    const exchange = exchangeOf(given, environment);
    const { signal } = environment;
    const partSize = given["part-size"];
    const { steps, tasks, parts, done } = await withOpenedRun(invocation, (opened) =>
      planParts({ ...opened, exchange, partSize, signal, openPicture }),
    );
    output.resultJson({ steps: [...steps], tasks, parts: [...parts], done });
    if (done) {
      output.result(`All steps of ${given.run} are finished.`);
      output.nextCommand(["run", "resume", given.run]);
      return;
    }
    output.result(
      `${pluralText(tasks, "task")} of ${steps.join(", ")} in ${pluralText(parts.length, "part")} in ${exchange.place}`,
    );
    const [first] = parts;
    if (first !== undefined) output.nextCommand(["run", "perform", first]);
  },
});

interface OpenedRun {
  readonly run: RecordStore;
  readonly stepOf: (id: string) => Promise<AnyStep>;
}

/** Opens a run with what makes its steps again, for as long as the work takes. */
async function withOpenedRun<Result>(
  {
    given: { json, debug, ...given },
    environment,
    output,
  }: {
    readonly given: { readonly run: string; readonly json: boolean; readonly debug: boolean };
    readonly environment: Environment;
    readonly output: Output;
  },
  work: (opened: OpenedRun) => Promise<Result>,
): Promise<Result> {
  const run = await openStore(runPlace(given.run, environment));
  const { settings } = await loadConfiguration(environment);
  const hosting = hostingFor(environment, { settings: settings.cache, tell: output.note });
  const { makes } = run.recipe;
  const means = { budget: new Budget({}), hosting };
  const asked = { given: { run: given.run, json, debug }, environment, output };
  const making = makes && (await makingOf(makes, asked, means));
  try {
    const { stepOf } = stepMaker(run, { making, settings, hosting, environment });
    return await work({
      run,
      async stepOf(id) {
        const described = describedStep(run.recipe, id);
        if (described !== undefined) return stepOf(described);
        throw new InputError(`The recipe of the run has no step ${id}`);
      },
    });
  } finally {
    await making?.close?.();
  }
}

export const finish = command({
  description:
    "Takes the results that run perform wrote into the run, in the order of the plan, and " +
    "finishes each step once all its parts are there. Names the parts that are missing and exits " +
    "with 3. Finishing again changes nothing.",
  examples: [
    "touchstone run finish runs/demo",
    "touchstone run finish runs/demo --exchange s3://bucket/demo",
  ],
  arguments: { run: runArgument, ...exchangeArgument },
  async run(invocation) {
    const { given, environment, output } = invocation;
    const exchange = exchangeOf(given, environment);
    const { signal } = environment;
    const { steps, records, missing } = await withOpenedRun(invocation, (opened) =>
      finishParts({ ...opened, exchange, signal }),
    );
    output.resultJson({ steps: [...steps], records, missing: [...missing] });
    if (steps.length > 0) {
      output.result(`${steps.join(", ")} finished with ${pluralText(records, "record")}`);
    }
    const [first] = missing;
    if (first !== undefined) {
      throw new IncompleteError(
        `${pluralText(missing.length, "part")} ${missing.length === 1 ? "has" : "have"} no results, such as ${first}`,
        { hint: "Perform them (touchstone run perform PART), then finish again." },
      );
    }
    if (steps.length === 0) output.result("Nothing is left to take in.");
    const place = given.exchange === undefined ? [] : ["--exchange", given.exchange];
    output.nextCommand(["run", "plan", given.run, ...place]);
  },
});
