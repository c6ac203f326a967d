import { append } from "../../src/core/arrays.js";
import type { Json } from "../../src/core/json.js";
import { type Hash, hashOf, type Key, keyOf } from "../../src/core/keys.js";
import {
  type AnyRecord,
  anyRecord,
  type RecordOf,
  type RecordType,
} from "../../src/core/records.js";
import type { Records, Step, StepContext } from "../../src/core/step.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { openPicture } from "../../src/images/picture.js";

/** The loop over steps, without files: what `runs` does, less resuming. */
export class MemoryRun {
  readonly records: AnyRecord[] = [];
  readonly blobs = new Map<Hash, Uint8Array>();
  readonly truths = new Map<Key, Json>();

  /** What the steps so far collected. */
  readonly view: Records = {
    ofType: <Type extends RecordType>(type: Type) => this.stream(type),
  };

  private async *stream<Type extends RecordType>(type: Type): AsyncGenerator<RecordOf<Type>> {
    for (const record of this.records) if (isOfType(record, type)) yield record;
  }

  /** The key of the task in hand. */
  private at = keyOf(null);

  private readonly context: StepContext = {
    signal: new AbortController().signal,
    writeBlob: async (bytes) => {
      const hash = hashOf(bytes);
      this.blobs.set(hash, bytes);
      return hash;
    },
    refer: () => Promise.reject(new Error("Expected no file to be referred to")),
    openPicture: async (hash) => openPicture(this.blobs.get(hash) ?? new Uint8Array()),
    writeTruth: async (truth) => void this.truths.set(this.at, truth),
    readTruth: async (image) => this.truths.get(image),
    trace: () => {},
  };

  async do<Type extends RecordType>(step: Step<Type>): Promise<RecordOf<Type>[]> {
    const made: RecordOf<Type>[] = [];
    for await (const about of step.plan(this.view)) {
      const stepName = `${step.name}@${step.version}`;
      const envelope = {
        schema: 1,
        type: step.produces,
        key: keyOf(JSON.parse(JSON.stringify({ stepName, ...about }))),
        step: stepName,
        attempt: 1,
      };
      this.at = envelope.key;
      const outcome = await step.perform(about, this.context).then(
        (answer) => ({ status: "done", ...answer }),
        (error: unknown) => {
          if (!(error instanceof NoAnswer)) throw error;
          const { reason, retryable, message: detail } = error;
          return { status: "unscored", reason, retryable, detail };
        },
      );
      const record = anyRecord.parse({ ...envelope, ...about, ...outcome });
      if (isOfType(record, step.produces)) made.push(record);
    }
    append(this.records, made);
    return made;
  }
}

const isOfType = <Type extends RecordType>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> => record.type === type;
