import type { JsonObject } from "../core/json.js";
import type { AnyRecord, RecordOf, RecordType } from "../core/records.js";
import type { AnyStep, Records, StepContext } from "../core/step.js";
import { doneRecord } from "./make-record.js";
import { entriesOf, stepName } from "./step-plan.js";

const refuse = () => Promise.reject(new Error("Nothing is kept before there is a run"));
const idle: StepContext = {
  signal: new AbortController().signal,
  openPicture: refuse,
  readTruth: refuse,
  writeBlob: refuse,
  refer: refuse,
  writeTruth: refuse,
  trace() {},
};

/**
 * The records that a run's first step will have, before there is a run.
 *
 * @param typed asks no model, keeps nothing, and answers each of its tasks.
 */
export async function recordsAhead(typed: AnyStep): Promise<Records> {
  // A step is handed only what it planned itself, so forgetting its types loses nothing.
  const step = typed as unknown as Parameters<typeof entriesOf>[0] & {
    perform(about: JsonObject, context: StepContext): Promise<object>;
  };
  const records: AnyRecord[] = [];
  for await (const { key, about } of entriesOf(step, recordsOf([]))) {
    const task = { type: step.produces, key, step: stepName(step), attempt: 1, about };
    records.push(doneRecord(task, await step.perform(about, idle)));
  }
  return recordsOf(records);
}

const recordsOf = (records: readonly AnyRecord[]): Records => ({
  async *ofType<Type extends RecordType>(type: Type) {
    yield* records.filter((record): record is RecordOf<Type> & AnyRecord => record.type === type);
  },
});
