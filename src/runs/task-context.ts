import { type Answerer, Answerers } from "../core/answered-by.js";
import type { Json, JsonObject } from "../core/json.js";
import type { Hash, Key } from "../core/keys.js";
import type { RecordStore, RunWriter } from "../core/record-store.js";
import type { StepContext } from "../core/step.js";
import { sha256 } from "../files/blobs/blob-address.js";
import { CallCosts, type Spent } from "./call-costs.js";
import { isCall } from "./fruitless.js";
import type { Task } from "./make-record.js";
import type { OpenedPictures } from "./opened-pictures.js";

/** Context of a step for one task, with its cost in the end. */
export interface TaskContext extends StepContext {
  /** The cost of the calls so far, as the trace entries said. */
  readonly spent: Spent;
  /** Whether a model was called, with or without an answer; what a cache gave is no call. */
  readonly wasCalled: boolean;
  /** Who has answered, as the trace entries said; undefined where there are none. */
  readonly answerer: Answerer | undefined;
  /** Keys of replies that a cache gave, as the trace entries said. */
  readonly keptReplies: readonly Key[];
  /** Resolves when the trace entries made so far are written; undefined where there are none. */
  settled(): Promise<unknown> | undefined;
}

/** Where a task reads and writes; in a run, or beside one. */
export interface TaskTools {
  readonly run: { readonly truth: Pick<RecordStore["truth"], "read"> };
  readonly writer: Pick<RunWriter, "trace"> & {
    readonly blobs: Pick<RunWriter["blobs"], "write" | "refer">;
    readonly truth: Pick<RunWriter["truth"], "write">;
  };
  readonly signal: AbortSignal;
  readonly pictures: OpenedPictures;
  readonly onTrace: (entry: JsonObject) => void;
}

export const taskContext = (task: Task, tools: TaskTools): TaskContext =>
  new ContextOfTask(task, tools);

const none: readonly Key[] = [];

/** A class, since there is one for each of a million tasks; what nobody asks for is made when it is. */
class ContextOfTask implements TaskContext {
  readonly signal: AbortSignal;
  wasCalled = false;
  readonly #task: Task;
  readonly #tools: TaskTools;
  readonly #costs = new CallCosts();
  #answerers: Answerers | undefined;
  keptReplies = none;
  #noted: Promise<void>[] | undefined;

  constructor(task: Task, tools: TaskTools) {
    this.signal = tools.signal;
    this.#task = task;
    this.#tools = tools;
  }

  readonly trace = (entry: JsonObject): void => {
    const { writer, onTrace } = this.#tools;
    const { key, step, part, attempt } = this.#task;
    const who = { key, step, ...(part === undefined ? {} : { part }), attempt };
    onTrace(entry);
    this.#costs.note(entry);
    this.wasCalled ||= isCall(entry);
    if (entry.cached === true && typeof entry.key === "string") {
      this.keptReplies = [...this.keptReplies, entry.key as Key];
    }
    this.#answerers ??= new Answerers();
    this.#answerers.note(entry);
    const written = writer.trace({ ...who, ...entry, ...who });
    // Whoever awaits `settled` hears of the failure; until then it must not end the process.
    written.catch(() => {});
    this.#noted ??= [];
    this.#noted.push(written);
  };

  readonly openPicture = (image: Hash) => this.#tools.pictures.open(image);
  readonly refer = (image: Hash, file: string) => this.#tools.writer.blobs.refer(image, file);
  readonly writeTruth = (truth: Json) => this.#tools.writer.truth.write(this.#task.key, truth);
  readonly readTruth = (image: Key) => this.#tools.run.truth.read(image);
  readonly writeBlob = async (bytes: Uint8Array, mediaType: string, file?: string) => {
    const { blobs } = this.#tools.writer;
    if (file === undefined) return blobs.write(bytes, mediaType);
    const image = sha256(bytes);
    await blobs.refer(image, file);
    return image;
  };

  get answerer(): Answerer | undefined {
    return this.#answerers?.found;
  }

  get spent(): Spent {
    return this.#costs.spent;
  }

  settled(): Promise<unknown> | undefined {
    return this.#noted && Promise.all(this.#noted);
  }
}

/** Context in which a task is tried while its calls are only counted: it reads, and leaves nothing. */
export function countingContext({
  run,
  signal,
  pictures,
}: {
  readonly run: { readonly truth: Pick<RecordStore["truth"], "read"> };
  readonly signal: AbortSignal;
  readonly pictures: OpenedPictures;
}): StepContext {
  const refuse = () => Promise.reject(new Error("Nothing is kept while calls are counted"));
  return {
    signal,
    openPicture: (image) => pictures.open(image),
    readTruth: (image) => run.truth.read(image),
    writeBlob: refuse,
    refer: refuse,
    writeTruth: refuse,
    trace() {},
  };
}
