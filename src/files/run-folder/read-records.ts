import { InputError } from "../../core/errors.js";
import type { RecordPosition } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { readJsonLines } from "../json-lines.js";

/** A record as a line of a file holds it. */
export interface StoredRecord {
  readonly record: AnyRecord;
  readonly place: RecordPosition;
}

const hint =
  "The line was changed by hand, damaged, or written by another version. Remove the file and give " +
  "the command again: what it held is collected anew.";

/**
 * Streams the records of one file, each checked against its schema.
 *
 * @throws InputError with file and line where a line is no record of this version.
 */
export async function* readRecords(
  path: string,
  options: { tolerateTornTail?: boolean; from?: number; onTorn?: (text: string) => void } = {},
): AsyncGenerator<StoredRecord> {
  for await (const { line, value, offset, length } of readJsonLines(path, { ...options, hint })) {
    const parsed = anyRecord.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const member = issue?.path.join(".") || "whole";
      throw new InputError(
        `Expected a record but received a line whose ${member} does not fit: ` +
          `${issue?.message ?? "invalid"} (in ${path}, line ${line})`,
        { hint },
      );
    }
    yield { record: parsed.data, place: { part: path, offset, length } };
  }
}
