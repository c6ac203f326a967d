import type { JsonObject } from "../core/json.js";
import type { Picture } from "../core/models.js";
import type { StepContext } from "../core/step.js";
import type { RunFolder } from "../files/run-folder.js";
import type { RunWriter } from "../files/run-writer.js";
import type { Task } from "./make-record.js";

/** What a step is given for one task, and what it cost in the end. */
export interface TaskContext extends StepContext {
  /** US dollars that the trace entries named so far. */
  readonly cost: number;
  /** Whether a cache gave all answers, as the trace entries said. */
  readonly cached: boolean;
  /** Resolves when the trace entries made so far are written. */
  settled(): Promise<void>;
}

export function taskContext(
  { key, step, part, attempt }: Task,
  tools: {
    readonly folder: RunFolder;
    readonly writer: RunWriter;
    readonly signal: AbortSignal;
    readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  },
): TaskContext {
  const { folder, writer, signal, openPicture } = tools;
  const calls = { cached: 0, others: 0 };
  const who = { key, step, ...(part === undefined ? {} : { part }), attempt };
  const noted: Promise<void>[] = [];
  let cost = 0;
  return {
    signal,
    writeBlob: (bytes, mediaType, file) =>
      file === undefined ? writer.blobs.write(bytes, mediaType) : writer.blobs.refer(bytes, file),
    openPicture: async (image) => openPicture(await folder.blobs.read(image)),
    writeTruth: (truth) => writer.truth.write(key, truth),
    readTruth: (image) => folder.truth.read(image),
    trace(entry: JsonObject) {
      if (typeof entry.cost === "number") cost += entry.cost;
      if (typeof entry.cached === "boolean") calls[entry.cached ? "cached" : "others"]++;
      const written = writer.trace({ ...who, ...entry, ...who });
      // Whoever awaits `settled` hears of the failure; until then it must not end the process.
      written.catch(() => {});
      noted.push(written);
    },
    get cost() {
      return cost;
    },
    get cached() {
      return calls.cached > 0 && calls.others === 0;
    },
    async settled() {
      await Promise.all(noted);
    },
  };
}
