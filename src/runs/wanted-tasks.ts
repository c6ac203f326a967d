import type { StepWriter } from "../core/record-store.js";
import type { Records } from "../core/step.js";
import type { Task } from "./make-record.js";
import { batchesOf, type ErasedStep, type Planned, type Survey, stepName } from "./step-plan.js";

/** So many keys of a plan are looked up together. */
const batchSize = 16;

/** Yields the tasks of a surveyed plan that have no record, until `signal` aborts. */
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
): AsyncGenerator<Task> {
  const { produces: type, part } = step;
  const shared = { type, step: stepName(step), ...(part === undefined ? {} : { part }) };
  for await (const { entries } of batchesOf(step, { records, survey, size: batchSize })) {
    if (signal.aborted) return;
    for (const { key, about, attempt } of await wantedOf(entries, stored)) {
      yield { ...shared, key, attempt: attempt + 1, about };
    }
  }
}

/** Tasks of a batch that are to be asked, with what was attempted so far. */
export async function wantedOf(
  entries: readonly Planned[],
  stored: StepWriter,
): Promise<(Planned & { readonly attempt: number })[]> {
  const states = await stored.look(entries.map(({ key }) => key));
  return entries.flatMap((entry, at) => {
    const { isWanted, attempt } = states[at] ?? { isWanted: false, attempt: 0 };
    return isWanted ? [{ ...entry, attempt }] : [];
  });
}
