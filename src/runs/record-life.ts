import { z } from "zod";
import { InputError } from "../core/errors.js";
import type { Hash } from "../core/keys.js";
import { nearest } from "../core/nearest.js";
import type { RecordStore } from "../core/record-store.js";
import type { AnyRecord, RecordOf } from "../core/records.js";

/** Records of a run that one record's history needs. */
export type ExplainedRun = Pick<
  RecordStore,
  "place" | "recipe" | "blobs" | "withKey" | "trace" | "ofType"
>;

/** A note that was kept beside a record, such as when it was asked and how long it took. */
export type TraceEntry = Readonly<Record<string, z.core.util.JSONType>>;

/** An image that a judge or a refiner was shown. */
export interface ShownImage {
  /** a and b of a pair, else its place from 1. */
  readonly name: string;
  readonly hash: Hash;
  readonly path?: string;
  /** Why its bytes are not to be had as they were collected, one sentence. */
  readonly problem?: string;
}

/** All that a run knows of one record. */
export interface RecordLife {
  readonly record: AnyRecord;
  /** The image it is, or that was scored. */
  readonly image?: RecordOf<"image">;
  /** The file of that image. */
  readonly imagePath?: string;
  /** Why that file is not to be had as it was collected, one sentence. */
  readonly imageProblem?: string;
  /** The prompt it is, or that the image was made for. */
  readonly prompt?: RecordOf<"prompt">;
  /** The description it is, or that the image was made from. */
  readonly description?: RecordOf<"description">;
  /** The images of a judgment, an audit or a refinement, as they were shown. */
  readonly shown: readonly ShownImage[];
  /** Notes of all attempts, oldest first. */
  readonly trace: readonly TraceEntry[];
  /** Records that were made from it: images of a text or pair, scores of an image. */
  readonly madeFrom: readonly RecordOf<"image" | "score">[];
}

/** Records that a score is about, or that lead to it. */
export type Relative = "prompt" | "description" | "image";

/** How a record and what belongs to it are found: by going over a run, or by an index of it. */
export interface RecordLookups {
  /** The records whose keys begin so. */
  withKey(start: string): AsyncIterable<AnyRecord>;
  first<Type extends Relative>(type: Type, key: string): Promise<RecordOf<Type> | undefined>;
  /** Images of a text or pair, scores of an image. */
  madeFrom(record: AnyRecord): Promise<readonly RecordOf<"image" | "score">[]>;
  /** Notes of all attempts, oldest first. */
  traceOf(key: string): Promise<readonly TraceEntry[]>;
}

/**
 * Finds a record by its key, or by the beginning of its key where no other begins like it, and
 * what belongs to it.
 *
 * @throws InputError for a key that no record has (with the nearest), or that several have.
 */
export async function recordLife(
  run: ExplainedRun,
  key: string,
  lookups: RecordLookups = goingOver(run),
): Promise<RecordLife> {
  const record = await findRecord({ place: run.place, lookups }, key);
  const image =
    record.type === "image"
      ? record
      : record.type === "score"
        ? // It may be missing where images were scored that no run made.
          await lookups.first("image", record.of)
        : undefined;
  const hash = image?.status === "done" ? image.image : undefined;
  const imageProblem = hash === undefined ? undefined : await run.blobs.problemOf(hash);
  // Nothing is to be repeated with other bytes.
  const isWhole = hash !== undefined && imageProblem === undefined;
  const imagePath = isWhole ? await run.blobs.addressOf(hash) : undefined;
  const prompt =
    record.type === "prompt" ? record : image && (await lookups.first("prompt", image.prompt));
  const description =
    record.type === "description"
      ? record
      : image && (await lookups.first("description", image.prompt));
  return {
    record,
    ...(image === undefined ? {} : { image }),
    ...(imagePath === undefined ? {} : { imagePath }),
    ...(imageProblem === undefined ? {} : { imageProblem }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(description === undefined ? {} : { description }),
    shown: await shownImages(run.blobs, record),
    trace: await lookups.traceOf(record.key),
    madeFrom: await lookups.madeFrom(record),
  };
}

async function shownImages(blobs: ExplainedRun["blobs"], record: AnyRecord): Promise<ShownImage[]> {
  return Promise.all(
    shownHashes(record).map(async ([name, hash]) => {
      const problem = await blobs.problemOf(hash);
      const path = problem === undefined ? await blobs.addressOf(hash) : undefined;
      return {
        name,
        hash,
        ...(path === undefined ? {} : { path }),
        ...(problem === undefined ? {} : { problem }),
      };
    }),
  );
}

function shownHashes(record: AnyRecord): (readonly [name: string, hash: Hash])[] {
  switch (record.type) {
    case "judgment":
      return [
        ["a", record.imageA],
        ["b", record.imageB],
      ];
    case "image-judgment":
    case "mask":
      return [["1", record.image]];
    case "audit":
    case "refinement":
      return record.images.map((hash, at) => [String(at + 1), hash]);
    default:
      return [];
  }
}

const shownKeys = 20;

interface Sought {
  readonly place: string;
  readonly lookups: RecordLookups;
}

async function findRecord(sought: Sought, given: string): Promise<AnyRecord> {
  const key = given.trim().toLowerCase();
  if (key === "")
    throw new InputError("Expected a key, or its first characters, but received nothing");
  const [found, another, ...more] = await allOf(sought.lookups.withKey(key));
  if (found === undefined) throw await unknownKey(sought, key);
  if (another === undefined) return found;
  const all = [found, another, ...more];
  throw new InputError(`Expected one key but ${all.length} keys begin with ${given}`, {
    problems: all
      .slice(0, shownKeys)
      .map((record) => `${record.key} ${record.type} ${record.step}`),
    hint: "Give more characters of the key.",
  });
}

async function unknownKey({ place, lookups }: Sought, key: string): Promise<InputError> {
  const beginnings = new Map<string, string>();
  for await (const { key: whole } of lookups.withKey("")) {
    beginnings.set(whole.slice(0, key.length), whole);
  }
  const near = nearest(key, beginnings.keys());
  const meant = near === undefined ? undefined : beginnings.get(near);
  return new InputError(`Expected the key of a record in ${place} but none begins with ${key}`, {
    hint:
      meant === undefined
        ? "Keys are in records/*.jsonl of the run and under the cards of its report."
        : `Did you mean ${meant}?`,
  });
}

async function firstWithKey<Type extends Relative>(
  run: ExplainedRun,
  type: Type,
  key: string,
): Promise<RecordOf<Type> | undefined> {
  for await (const record of run.ofType(type)) if (record.key === key) return record;
  return undefined;
}

const goingOver = (run: ExplainedRun): RecordLookups => ({
  withKey: (start) => run.withKey(start),
  first: (type, key) => firstWithKey(run, type, key),
  madeFrom: (record) => madeFrom(run, record),
  traceOf: (key) => traceOf(run, key),
});

async function madeFrom(run: ExplainedRun, { type, key }: AnyRecord) {
  const found: RecordOf<"image" | "score">[] = [];
  if (["prompt", "description", "query", "refinement", "pair"].includes(type)) {
    for await (const image of run.ofType("image")) if (image.prompt === key) found.push(image);
  }
  if (type === "image") {
    for await (const score of run.ofType("score")) if (score.of === key) found.push(score);
  }
  return found;
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const traceEntry = z.record(z.string(), z.json());

async function traceOf(run: ExplainedRun, key: string): Promise<TraceEntry[]> {
  const found: TraceEntry[] = [];
  for await (const value of run.trace()) {
    const parsed = traceEntry.safeParse(value);
    if (parsed.success && parsed.data.key === key) found.push(parsed.data);
  }
  return found;
}
