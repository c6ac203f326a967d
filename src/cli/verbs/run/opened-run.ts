import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyStep } from "../../../core/step.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import { describedStep } from "../../../runs/parts/part-files.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { makingOf } from "./run-resume.js";
import { stepMaker } from "./step-maker.js";

interface OpenedRun {
  readonly run: RecordStore;
  readonly stepOf: (id: string) => Promise<AnyStep>;
}

/** Opens a run with what makes its steps again, for as long as the work takes. */
export async function withOpenedRun<Result>(
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
