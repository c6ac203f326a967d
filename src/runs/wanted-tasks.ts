import type { StepWriter } from "../core/record-store.js";
import type { Records } from "../core/step.js";
import type { Task } from "./make-record.js";
import { batchesOf, type ErasedStep, type Planned, type Survey, stepName } from "./step-plan.js";

/** So many keys of a plan are looked up together. */
const batchSize = 64;

/** Yields the tasks of a surveyed plan that have no record, those together that were looked up together, until `signal` aborts. */
export async function* wantedTasks(
  step: ErasedStep,
  {
    records,
    stored,
    survey,
    signal,
  }: {
    readonly records: Records;
    readonly stored: StepWriter;
    readonly survey: Survey;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<readonly Task[]> {
  const { produces: type, part } = step;
  const name = stepName(step);
  for await (const entries of batchesOf(step, { records, survey, size: batchSize })) {
    if (signal.aborted) return;
    const wanted = await wantedOf(entries, stored);
    yield wanted.map(({ key, about, attempt }) => ({
      type,
      step: name,
      ...(part === undefined ? {} : { part }),
      key,
      attempt: attempt + 1,
      about,
    }));
  }
}

/** Tasks of a batch that are to be asked, with what was attempted so far. */
export async function wantedOf(
  entries: readonly Planned[],
  stored: StepWriter,
): Promise<(Planned & { readonly attempt: number })[]> {
  const states = await stored.look(entries.map(({ key }) => key));
  return entries.flatMap(({ key, about }, at) => {
    const { isWanted, attempt } = states[at] ?? { isWanted: false, attempt: 0 };
    return isWanted ? [{ key, about, attempt }] : [];
  });
}
