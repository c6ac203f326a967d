import type { Json, JsonObject } from "./json.js";
import type { Hash, Key } from "./keys.js";
import type { DescribedStep, Recipe } from "./recipe.js";
import type { AnyRecord } from "./records.js";
import type { Records } from "./step.js";
import type { UnscoredReason } from "./unscored.js";

/**
 * Where one run lives: a folder, or a database. Whoever collects, concludes or shows knows a
 * run by this contract alone. Reading asks nobody and holds nothing open between calls; all
 * that is long is a stream. Nothing that is appended is ever changed: of several records of one key
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
   * order; undefined where there is none, such as in a database.
   */
  fileOf(step: string): Promise<string | undefined>;
  /** When recipe or records were last changed; undefined where nobody knows. */
  changedAt(): Promise<Date | undefined>;
  /** Reads the run while it grows, for an index over it. */
  follow(): RecordFollower;
  /** Who is at work on the run. What a killed one held counts for nothing. */
  workers(): Promise<readonly Worker[]>;
  /**
   * Adds what the command asked for, and its steps, to the recipe, and makes the caller one of the
   * run's workers until the writer is closed.
   *
   * @throws InputError where command or steps contradict the recipe, which is then left as it was.
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

/** One that is at work on a run. */
export interface Worker {
  readonly id: string;
  /** For people, such as "process 7 of mill", with the way out where nobody knows if it lives. */
  readonly who: string;
  /** The command line that it carries out, where it said so. */
  readonly command?: string | undefined;
  /** Seconds since its home heard of it, where the home is told all the while that a worker lives. */
  readonly silentFor?: number | undefined;
}

/** One worker's way of writing to a run. */
export interface RunWriter {
  readonly blobs: BlobStore;
  readonly truth: TruthStore;
  /** @throws RangeError where the recipe has no such step. */
  openStep(step: string): Promise<StepWriter>;
  /** Notes beside the records what can't be reproduced. Resolves when it is kept. */
  trace(entry: JsonObject): Promise<void>;
  /** Ends being at work, and with it all claims. */
  close(): Promise<void>;
}

/**
 * One step while a worker collects it. The worker lays down the plan, claims batches of it, appends
 * records and finishes the step; how the others' work shows up is the home's own matter.
 */
export interface StepWriter {
  /** Keys in the plan. */
  readonly planned: number;
  /** Keys in the plan that had no record, or a retryable one, and have no newer one since. */
  readonly wanted: number;
  /** Puts keys at the end of the plan. Returns for each whether it is new there. */
  plan(keys: readonly Key[]): Promise<readonly boolean[]>;
  /** How each key stands, as far as was read: see `refresh`. */
  look(keys: readonly Key[]): Promise<readonly KeyState[]>;
  /** The planned keys that have a record, counted by how they ended, in order of appearance. */
  count(): Promise<readonly EndingCount[]>;
  /** Takes keys for such as have no record, while this writer is open: their images are gone. */
  forget(keys: readonly Key[]): Promise<void>;
  /** Resolves when all are kept: from then on they survive the process. */
  append(records: readonly AnyRecord[]): Promise<void>;
  /**
   * Claims a batch of the plan, by its number, unless another worker has it in hand. Two that
   * ask at once never both get it. It holds until it is released or its worker is gone.
   */
  claim(batch: number): Promise<boolean>;
  release(batch: number): Promise<void>;
  /**
   * Whether a key of a batch that this worker claimed is still to be asked by it: not once another has
   * kept its record, or claimed the batch because this worker seemed gone.
   */
  mayAsk(batch: number, key: Key): Promise<boolean>;
  /** Who else has which of these batches in hand. */
  holders(batches: readonly number[]): Promise<ReadonlyMap<number, Worker>>;
  /** Reads what others have added since; returns how many wanted keys have a record now. */
  refresh(): Promise<number>;
  /**
   * Puts the records in the order of the plan and seals them, so that the same run gives the same
   * bytes, whoever worked on it. Once is enough, and again changes nothing; one that is killed at it
   * loses nothing. Records that no plan has go to the trace once nobody else is at work.
   *
   * @param options.keepsRemains whether what is left over (a torn line, a record that no plan has) goes
   *   to the trace, by default; else it is gone, as what people had erased must be
   * @returns false where `signal` aborted while another worker was at it.
   * @throws RangeError while a key is wanted.
   */
  finish(options: {
    readonly signal: AbortSignal;
    readonly keepsRemains?: boolean;
  }): Promise<boolean>;
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
  /** Keeps where a user's own file lies, and no copy of its bytes. */
  refer(bytes: Uint8Array, file: string): Promise<Hash>;
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
