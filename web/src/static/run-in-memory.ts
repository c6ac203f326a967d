import type { RecordFollower, RecordStore } from "../../../src/core/record-store.js";
import type { AnyRecord } from "../../../src/core/records.js";
import type { ExportedRecord, ExportedRun } from "../../../src/studio/export/exported-page.js";

const notHere = () => {
  throw new Error("An exported page holds a run's records and small images alone");
};

/** A run whose records stand in the page's own scripts, for the same index that the server makes. */
export function runInMemory(
  { recipe, states, images }: ExportedRun,
  records: readonly ExportedRecord[],
  trace: readonly unknown[],
): RecordStore {
  const name = ({ part, offset }: ExportedRecord[2]) => `${part}:${offset}`;
  const byPlace = new Map(records.map((record) => [name(record[2]), record]));
  let isRead = false;
  const follower: RecordFollower = {
    progress: { read: records.length, total: records.length },
    async *news() {
      if (isRead) return;
      isRead = true;
      yield records.map(([step, value, position, isInOrder]) => ({
        step,
        value,
        position,
        isInOrder,
      }));
    },
    async *read(positions) {
      // They were records when they were exported.
      for (const position of positions) yield byPlace.get(name(position))?.[1] as AnyRecord;
    },
  };
  return {
    place: "",
    recipe,
    follow: () => follower,
    stateOf: async (step) => states[step] ?? "absent",
    fileOf: async () => undefined,
    async *trace() {
      yield* trace;
    },
    workers: async () => [],
    changedAt: async () => undefined,
    blobs: {
      problemOf: async (hash) => (Object.hasOwn(images, hash) ? undefined : "it was not exported"),
      addressOf: async (hash) => images[hash]?.named ?? undefined,
      read: notHere,
      write: notHere,
      refer: notHere,
    },
    get truth() {
      return notHere();
    },
    get documents() {
      return notHere();
    },
    ofType: notHere,
    ofStep: notHere,
    withKey: notHere,
    without: notHere,
    startWriting: notHere,
    entriesOf: notHere,
    check: notHere,
  };
}
