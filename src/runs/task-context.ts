import { type Answerer, Answerers } from "../core/answered-by.js";
import type { JsonObject } from "../core/json.js";
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
  /** Who has answered, as the trace entries said. */
  readonly answerer: Answerer;
  /** Resolves when the trace entries made so far are written. */
  settled(): Promise<void>;
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

export function taskContext({ key, step, part, attempt }: Task, tools: TaskTools): TaskContext {
  const { run, writer, signal, pictures, onTrace } = tools;
  const costs = new CallCosts();
  const who = { key, step, ...(part === undefined ? {} : { part }), attempt };
  const noted: Promise<void>[] = [];
  const answerers = new Answerers();
  let wasCalled = false;
  return {
    signal,
    async writeBlob(bytes, mediaType, file) {
      if (file === undefined) return writer.blobs.write(bytes, mediaType);
      const image = sha256(bytes);
      await writer.blobs.refer(image, file);
      return image;
    },
    refer: (image, file) => writer.blobs.refer(image, file),
    openPicture: (image) => pictures.open(image),
    writeTruth: (truth) => writer.truth.write(key, truth),
    readTruth: (image) => run.truth.read(image),
    trace(entry: JsonObject) {
      onTrace(entry);
      costs.note(entry);
      wasCalled ||= isCall(entry);
      answerers.note(entry);
      const written = writer.trace({ ...who, ...entry, ...who });
      // Whoever awaits `settled` hears of the failure; until then it must not end the process.
      written.catch(() => {});
      noted.push(written);
    },
    get answerer() {
      return answerers.found;
    },
    get wasCalled() {
      return wasCalled;
    },
    get spent() {
      return costs.spent;
    },
    async settled() {
      await Promise.all(noted);
    },
  };
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
