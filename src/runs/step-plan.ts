import { hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../core/json.js";
import type { Key } from "../core/keys.js";
import type { StepWriter } from "../core/record-store.js";
import { determinantsOf, type RecordType } from "../core/records.js";
import type { Records } from "../core/step.js";
import type { Task } from "./make-record.js";

/** A step as the loop sees it: its types are forgotten, its tasks are handed back to it alone. */
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

/** The same as `keyOf`, in a third of its time: plans are long. */
const keyOfEntry = (entry: JsonObject) =>
  hash("sha256", canonicalJson(entry), "hex").slice(0, 32) as Key;

/** Entries of a plan with their keys. */
export async function* entriesOf(step: ErasedStep, records: Records): AsyncGenerator<Planned> {
  const entry = entryMaker(step);
  for await (const about of step.plan(records)) yield entry(about);
}

function entryMaker(step: ErasedStep): (about: JsonObject) => Planned {
  const name = stepName(step);
  // Its name first: to add a member to a copy takes four times as long.
  return (about) => ({ key: keyOfEntry({ step: name, ...determinantsOf(about) }), about });
}

/** Memory of a plan that was gone over. */
export interface Survey {
  /** Entries that named a key planned already. */
  readonly duplicates: number;
  /** Whether the entry at this place of the plan, from 0, named a key planned already. */
  isDuplicate(at: number): boolean;
}

const surveyedAtOnce = 512;

/**
 * Goes over the plan once to lay down its keys; of the entries no more is kept than a bit each, and
 * that only where keys are named again. Ends early, and uselessly, if `signal` aborts.
 */
export async function surveyPlan(
  step: ErasedStep,
  options: { records: Records; stored: StepWriter; signal: AbortSignal },
): Promise<Survey> {
  const { records, stored, signal } = options;
  let bits = new Uint8Array(0);
  let duplicates = 0;
  let before = 0;
  let keys: Key[] = [];
  const lay = async () => {
    for (const [at, isNew] of (await stored.plan(keys)).entries()) {
      if (isNew) continue;
      duplicates++;
      const byte = (before + at) >>> 3;
      if (byte >= bits.length) {
        const longer = new Uint8Array(Math.max(1024, 2 * (byte + 1)));
        longer.set(bits);
        bits = longer;
      }
      bits[byte] = (bits[byte] ?? 0) | (1 << ((before + at) & 7));
    }
    before += keys.length;
    keys = [];
  };
  const entry = entryMaker(step);
  for await (const about of step.plan(records)) {
    if (signal.aborted) break;
    if (keys.push(entry(about).key) === surveyedAtOnce) await lay();
  }
  await lay();
  return { duplicates, isDuplicate: (at) => ((bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0 };
}

/** Goes over a plan that was surveyed once more, so many entries at a time. */
export async function* batchesOf(
  step: ErasedStep,
  options: { records: Records; survey: Survey; size: number },
): AsyncGenerator<readonly Planned[]> {
  const { records, survey, size } = options;
  const entry = entryMaker(step);
  let at = 0;
  let entries: Planned[] = [];
  for await (const about of step.plan(records)) {
    if (survey.isDuplicate(at++)) continue;
    if (entries.push(entry(about)) < size) continue;
    yield entries;
    entries = [];
  }
  if (entries.length > 0) yield entries;
}

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
