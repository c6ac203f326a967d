import type { JsonObject } from "../core/json.js";
import { type Key, keyOf } from "../core/keys.js";
import type { RecordType } from "../core/records.js";
import type { Records } from "../core/step.js";
import type { StepRecords } from "../files/run-folder/step-records.js";

/** What a step is to the loop: its types are forgotten, its tasks are handed back to it alone. */
export interface ErasedStep {
  readonly name: string;
  readonly part?: string;
  readonly version: number;
  readonly produces: RecordType;
  readonly asks?: readonly string[];
  plan(records: Records): AsyncIterable<JsonObject>;
}

/** An entry of a plan. */
export interface Planned {
  readonly key: Key;
  readonly about: JsonObject;
}

/** `name@version`, as records name their step. */
export const stepName = ({ name, version }: ErasedStep): string => `${name}@${version}`;

async function* entriesOf(step: ErasedStep, records: Records): AsyncGenerator<Planned> {
  const name = stepName(step);
  for await (const about of step.plan(records)) {
    yield { key: keyOf({ ...about, step: name }), about };
  }
}

/**
 * Goes over the plan once to note its keys in the index; nothing else of it is kept. Ends early,
 * and uselessly, if `signal` aborts. Returns how many entries named a key that was planned already.
 */
export async function surveyPlan(
  step: ErasedStep,
  options: { records: Records; stored: StepRecords; signal: AbortSignal },
): Promise<number> {
  const { records, stored, signal } = options;
  let duplicates = 0;
  for await (const { key } of entriesOf(step, records)) {
    if (signal.aborted) break;
    if (!stored.index.plan(key)) duplicates++;
  }
  return duplicates;
}

/** So many entries that follow each other in the plan; `number` counts batches from 0. */
export interface Batch {
  readonly number: number;
  readonly entries: readonly Planned[];
}

/** Goes over a plan that was surveyed once more, in batches that are the same in every process. */
export async function* batchesOf(
  step: ErasedStep,
  options: { records: Records; stored: StepRecords; size: number },
): AsyncGenerator<Batch> {
  const { records, stored, size } = options;
  let position = 0;
  let number = 0;
  let entries: Planned[] = [];
  for await (const entry of entriesOf(step, records)) {
    // What stands at another place of the order is there, or will be, under that place.
    if (!stored.index.isPlannedAt(position, entry.key)) continue;
    position++;
    entries.push(entry);
    if (entries.length < size) continue;
    yield { number: number++, entries };
    entries = [];
  }
  if (entries.length > 0) yield { number, entries };
}
