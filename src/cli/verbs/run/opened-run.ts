import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { makingOf } from "./run-resume.js";
import { stepMaker } from "./step-maker.js";

/** Opens a run with what makes its steps again. */
export async function openedRun({
  given,
  environment,
  output,
}: {
  readonly given: { readonly run: string; readonly json: boolean; readonly debug: boolean };
  readonly environment: Environment;
  readonly output: Output;
}): Promise<{ readonly run: RecordStore; readonly stepOf: (id: string) => Promise<AnyStep> }> {
  const run = await openStore(runPlace(given.run, environment));
  const { settings } = await loadConfiguration(environment);
  const hosting = hostingFor(environment, { settings: settings.cache, tell: output.note });
  const { makes } = run.recipe;
  const means = { budget: new Budget({}), hosting };
  const making = makes && (await makingOf(makes, { given, environment, output }, means));
  const { stepOf } = stepMaker(run, { making, settings, hosting, environment });
  return {
    run,
    async stepOf(id) {
      const described = run.recipe.steps.find((step) => stepId(step) === id);
      if (described === undefined) throw new InputError(`The recipe of the run has no step ${id}`);
      return stepOf(described);
    },
  };
}
