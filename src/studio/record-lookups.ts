import type { Key } from "../core/keys.js";
import { type AnyRecord, anyRecord, type RecordOf } from "../core/records.js";
import { LineReader } from "../files/run-folder/line-reader.js";
import type { Place } from "../files/run-folder/segment.js";
import { type RecordLookups, traceEntry } from "../runs/record-life.js";
import type { RunIndex } from "./run-index.js";

/** Finds records of a run by its index: only the lines that are asked for are read. */
export function indexLookups(index: RunIndex): RecordLookups {
  return {
    async *withKey(key) {
      const place = index.placeOf(key as Key);
      if (place !== undefined) yield* await readRecordsAt([place]);
    },
    async first(type, key) {
      const place = index.placeOf(key as Key);
      const [record] = place === undefined ? [] : await readRecordsAt([place]);
      return record !== undefined && isOf(record, type) ? record : undefined;
    },
    async madeFrom({ type, key }) {
      const places =
        type === "image"
          ? scoresOf(index, key)
          : index.rows.filter((row) => row.prompt === key).map(({ place }) => place);
      const records = await readRecordsAt(places);
      return records.filter((record) => record.type === "image" || record.type === "score");
    },
    async traceOf(key) {
      const found: ReturnType<typeof traceEntry.parse>[] = [];
      for await (const value of index.run.trace()) {
        const { data } = traceEntry.safeParse(value);
        if (data?.key === key) found.push(data);
      }
      return found;
    },
  };
}

/** Where the scores of an image stand, metric by metric. */
function scoresOf(index: RunIndex, image: string): readonly Place[] {
  const at = index.rowOf(image);
  return at === undefined ? [] : index.tables.flatMap((table) => table.placeOf(at) ?? []);
}

function isOf<Type extends AnyRecord["type"]>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> {
  return record.type === type;
}

/** @throws InputError where a file is gone; an error of the schema where a line was changed. */
export async function readRecordsAt(places: readonly Place[]): Promise<readonly AnyRecord[]> {
  const lines = new LineReader();
  try {
    const records: AnyRecord[] = [];
    for (const place of places) records.push(anyRecord.parse(JSON.parse(await lines.read(place))));
    return records;
  } finally {
    await lines.close();
  }
}
