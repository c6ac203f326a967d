import type { Json, JsonObject } from "./json.js";
import type { Hash, Key } from "./keys.js";
import type { DescribedStep, Recipe } from "./recipe.js";
import type { AnyRecord } from "./records.js";
import type { Records } from "./step.js";
import type { UnscoredReason } from "./unscored.js";

/**
 * One run, wherever it lives. Whoever collects, concludes or shows knows a
 * run by this contract alone. Reading asks nobody and holds nothing open between calls, so nobody
 * closes a store; all that is long is a stream. Nothing that is appended is ever changed: of several records of one key
 * the latest attempt counts, and of equal attempts the one with an answer.
 */
export interface RecordStore extends Records {
  /** Names the place to people: a path, or an address without a password. */
  readonly place: string;
  /** As of opening the run, the last `startWriting`, or the last `news` of a follower. */
  readonly recipe: Recipe;
  readonly blobs: BlobStore;
  readonly truth: TruthStore;
  /** What is kept beside the run's records: its report, its tables, triplets excluded by hand. */
  readonly documents: DocumentStore;
  /** The run as it looks without the steps of these ids: what a step may plan from. */
  without(steps: Iterable<string>): Records;
  /** The records of one step, by its `stepId`, in plan order once it is finished. */
  ofStep(step: string): AsyncIterable<AnyRecord>;
  /** The records whose key begins with `start`, of whatever type; "" begins all. */
  withKey(start: string): AsyncIterable<AnyRecord>;
  /** Notes beside the records (time, cost, raw replies), oldest session first. */
  trace(): AsyncIterable<unknown>;
  stateOf(step: string): Promise<StepState>;
  /**
   * The file that holds the records of a finished step and nothing else, a line of JSON each, in plan
   * order; undefined where there is none.
   */
  fileOf(step: string): Promise<string | undefined>;
  /** When recipe or records were last changed; undefined where nobody knows. */
  changedAt(): Promise<Date | undefined>;
  /** Reads the run while it grows, for an index over it. */
  follow(): RecordFollower;
  /** Processes that write to the run now, one at most; dead processes are left out. */
  workers(): Promise<readonly Worker[]>;
  /**
   * Adds what the command asked for, and its steps, to the recipe, and makes the caller the run's
   * only writer until the writer is closed.
   *
   * @throws InputError where another process writes to the run, or command or steps contradict the
   *   recipe, which is then left as it was.
   */
  startWriting(steps: readonly DescribedStep[]): Promise<RunWriter>;
  /** Everything that is kept of a step, damaged or not, for whoever verifies the run. */
  entriesOf(step: string): AsyncIterable<StoredEntry>;
  /** Compares the home with what was sealed in it. */
  check(): Promise<StoreCheck>;
}

/** "finished": all its records are in plan order; "begun": some are not; "absent": it has none. */
export type StepState = "absent" | "begun" | "finished";

/** Reads the records of a run as they come. Calls of one follower may not overlap. */
export interface RecordFollower {
  /** How much of what is there was read, in a unit of the home's own. */
  readonly progress: { readonly read: number; readonly total: number };
  /**
   * Records that are there, and from the second time on those added since; of one key several may come, and
   * the same record again when its step was put in order. Its latest position is to be kept. Those that were
   * read together come together.
   */
  news(): AsyncIterable<readonly FollowedRecord[]>;
  /** @throws InputError where it is gone, or no longer a record. */
  read(positions: readonly RecordPosition[]): AsyncIterable<AnyRecord>;
}

/** Something that is kept of a step, parsed as JSON alone: whoever indexes checks what it needs. */
export interface FollowedRecord {
  readonly step: string;
  readonly value: unknown;
  /** Whether it stands in a step that was put in order: it then counts for more than any before. */
  readonly isInOrder: boolean;
  readonly position: RecordPosition;
}

/** Where a record is kept; in a finished step's part, a lower offset comes first in the plan. */
export interface RecordPosition {
  readonly part: string;
  readonly offset: number;
  readonly length: number;
}

/** A process at work on a run. */
export interface Worker {
  readonly id: string;
  /** For people, such as "process 7 of mill", with the way out where nobody knows if it lives. */
  readonly who: string;
  /** The command line that it carries out, where it said so. */
  readonly command?: string | undefined;
}

/** The one way of writing to a run. */
export interface RunWriter {
  readonly blobs: BlobStore;
  readonly truth: TruthStore;
  /** @throws RangeError where the recipe has no such step. */
  openStep(step: string): Promise<StepWriter>;
  /** Notes beside the records what can't be reproduced. Resolves when it is kept. */
  trace(entry: JsonObject): Promise<void>;
  /** Closes its files and ends being at work. Whoever called `startWriting` calls it, however the work ends. */
  close(): Promise<void>;
}

/** One step while it is collected: lay down the plan, append records, finish the step. */
export interface StepWriter {
  /** Keys in the plan. */
  readonly planned: number;
  /** Keys in the plan that had no record, or a retryable one, and have no newer one since. */
  readonly wanted: number;
  /** Puts keys at the end of the plan. Returns for each whether it is new there. */
  plan(keys: readonly Key[]): Promise<readonly boolean[]>;
  /** How each key stands. */
  look(keys: readonly Key[]): Promise<readonly KeyState[]>;
  /** The planned keys that have a record, counted by how they ended, in order of appearance. */
  count(): Promise<readonly EndingCount[]>;
  /** Takes keys for such as have no record, while this writer is open: their images are gone. */
  forget(keys: readonly Key[]): Promise<void>;
  /** Resolves when all are kept: from then on they survive the process. */
  append(records: readonly AnyRecord[]): Promise<void>;
  /**
   * Puts the records in the order of the plan and seals them, so that the same run gives the same
   * bytes. Again changes nothing; one that is killed at it loses nothing. Records that no plan has go to
   * the trace.
   *
   * @param options.keepsRemains whether what is left over (a torn line, a record that no plan has) goes
   *   to the trace, by default; else it is gone, as what people had erased must be
   * @returns how many records went to the trace, as no plan has them
   * @throws RangeError while a key is wanted; InputError where another took the run over.
   */
  finish(options?: { readonly keepsRemains?: boolean }): Promise<number>;
  /** Closes its files. Whoever called `openStep` calls it, however the work ends. */
  close(): Promise<void>;
}

export interface KeyState {
  readonly isWanted: boolean;
  /** The latest attempt that has a record; 0 where there is none. */
  readonly attempt: number;
}

/** So many keys ended like this. */
export interface EndingCount {
  /** Why they have no answer; undefined where they have one. */
  readonly reason: UnscoredReason | undefined;
  readonly retryable: boolean;
  readonly count: number;
}

/** Bytes by their SHA-256: the same bytes are kept once. */
export interface BlobStore {
  /** The folder where they are files; a file elsewhere is a user's own, which is referred to. */
  readonly directory?: string;
  /** Keeps the bytes, anew where what was kept of them is damaged. */
  write(bytes: Uint8Array, mediaType: string): Promise<Hash>;
  /** Keeps where a user's own file lies that has this SHA-256, and no copy of it. */
  refer(hash: Hash, file: string): Promise<void>;
  /** @throws InputError where they are not there, or not those that were kept. */
  read(hash: Hash): Promise<Uint8Array>;
  /** Why `read` would fail, one sentence; undefined where it would not. */
  problemOf(hash: Hash): Promise<string | undefined>;
  /** Where other programs can open the bytes: a path or a URL; undefined where they can't. */
  addressOf(hash: Hash): Promise<string | undefined>;
}

/** True contents of pictures, as their generator says, by the key of the image's record. */
export interface TruthStore {
  write(image: Key, truth: Json): Promise<void>;
  /** `undefined` where nothing is known of the image. */
  read(image: Key): Promise<Json | undefined>;
  isEmpty(): Promise<boolean>;
  /** Why there is no truth of an image, one sentence; undefined where there is one. */
  problemOf(image: Key): Promise<string | undefined>;
}

/** Texts that were made of runs and are kept beside them, such as a report, by name. */
export interface DocumentStore {
  has(name: string): Promise<boolean>;
  /** `undefined` where there is none of this name. */
  read(name: string): Promise<string | undefined>;
  /** Replaces what stood there, whole or not at all. */
  write(name: string, text: string): Promise<void>;
  /** Where a browser can open it: a path or a URL, whether it is written yet or not. */
  addressOf(name: string): string;
}

/** Something that a home keeps for a record: the record, or what is wrong with it. */
export type StoredEntry = {
  /** For people, such as "in runs/a/records/01-build.jsonl, line 3". */
  readonly where: string;
  /** Where it stands together with others, such as a file. */
  readonly part: string;
  /** Whether its part is in plan order: a key then stands in it once, else once an attempt. */
  readonly isInOrder: boolean;
} & ({ readonly record: AnyRecord } | { readonly problem: string });

/** How a home stands to its seals. */
export interface StoreCheck {
  /** Parts that no seal speaks of, by name: what was edited in them can't be told. */
  readonly unsealed: readonly string[];
  /** Whether the recipe is as it was sealed, so that what is damaged can be collected anew. */
  readonly recipeStands: boolean;
  /** Records and blobs that were changed, are gone, or belong to no step, one sentence each. */
  readonly problems: readonly string[];
}
