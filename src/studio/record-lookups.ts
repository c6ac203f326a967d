import type { Key } from "../core/keys.js";
import type { RecordPosition } from "../core/record-store.js";
import type { AnyRecord, RecordOf } from "../core/records.js";
import { type RecordLookups, traceEntry } from "../runs/record-life.js";
import type { RunIndex } from "./run-index.js";

/** Finds records of a run by its index: only those that are asked for are read. */
export function indexLookups(index: RunIndex): RecordLookups {
  return {
    async *withKey(key) {
      const place = index.placeOf(key as Key);
      if (place !== undefined) yield* await index.read([place]);
    },
    async first(type, key) {
      const place = index.placeOf(key as Key);
      const [record] = place === undefined ? [] : await index.read([place]);
      return record !== undefined && isOf(record, type) ? record : undefined;
    },
    async madeFrom({ type, key }) {
      const places =
        type === "image"
          ? scoresOf(index, key)
          : index.rows.filter((row) => row.prompt === key).map(({ place }) => place);
      const records = await index.read(places);
      return records.filter((record) => record.type === "image" || record.type === "score");
    },
    async traceOf(key) {
      const found: ReturnType<typeof traceEntry.parse>[] = [];
      for await (const value of index.run.trace()) {
        // A trace is long: only its own entries are checked.
        if (typeof value !== "object" || value === null || !("key" in value)) continue;
        const { data } = value.key === key ? traceEntry.safeParse(value) : {};
        if (data !== undefined) found.push(data);
      }
      return found;
    },
  };
}

/** Where the scores of an image stand, metric by metric. */
function scoresOf(index: RunIndex, image: string): readonly RecordPosition[] {
  const at = index.rowOf(image);
  return at === undefined ? [] : index.tables.flatMap((table) => table.placeOf(at) ?? []);
}

function isOf<Type extends AnyRecord["type"]>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> {
  return record.type === type;
}
