import type { JsonObject } from "../core/json.js";
import { type Key, keyOf } from "../core/keys.js";
import type { RecordType } from "../core/records.js";
import type { Records } from "../core/step.js";
import type { StepRecords } from "../files/step-records.js";
import type { Task } from "./make-record.js";
import { Tally } from "./step-summary.js";

/** What a step is to the loop: its types are forgotten, its tasks are handed back to it alone. */
export interface ErasedStep {
  readonly name: string;
  readonly version: number;
  readonly produces: RecordType;
  plan(records: Records): AsyncIterable<JsonObject>;
}

export interface StepPlan {
  /** Every key, once, in the order of the plan. */
  readonly keys: readonly Key[];
  /** What is to be asked: keys without a record, and those whose last asking may be repeated. */
  readonly tasks: readonly Task[];
  readonly duplicates: number;
  /** The endings of the keys that are not asked again. */
  readonly reused: Tally;
}

/** Compares what a step plans with what stands. Ends early, and uselessly, if `signal` aborts. */
export async function planStep(
  step: ErasedStep,
  options: { records: Records; stored: StepRecords; signal: AbortSignal },
): Promise<StepPlan> {
  const { records, stored, signal } = options;
  const name = `${step.name}@${step.version}`;
  const keys = new Set<Key>();
  const tasks: Task[] = [];
  const reused = new Tally();
  let duplicates = 0;
  for await (const about of step.plan(records)) {
    if (signal.aborted) break;
    const key = keyOf({ ...about, step: name });
    if (keys.has(key)) {
      duplicates++;
      continue;
    }
    keys.add(key);
    const standing = stored.get(key);
    if (standing !== undefined && !standing.retryable) reused.count(standing.reason);
    else {
      const attempt = (standing?.attempt ?? 0) + 1;
      tasks.push({ type: step.produces, key, step: name, attempt, about });
    }
  }
  return { keys: [...keys], tasks, duplicates, reused };
}
