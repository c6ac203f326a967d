import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import type { RecordPosition } from "../../core/record-store.js";
import { type AnyRecord, checkedRecord } from "../../core/records.js";
import { fileError, systemCode } from "../file-error.js";
import { readJsonBatches } from "../json-lines.js";

const windowBytes = 65_536;

interface OpenFile {
  readonly file: FileHandle;
  /** The part that was read last: the next line most often stands in it. */
  window: Buffer;
  start: number;
}

/** Reads single lines by their place. Holds its files open until `close`. */
export class LineReader {
  readonly #files = new Map<string, OpenFile>();

  async read({ part: path, offset, length }: RecordPosition): Promise<string> {
    try {
      const from = await this.#open(path);
      if (offset < from.start || offset + length > from.start + from.window.length) {
        const bytes = Buffer.alloc(Math.max(length, windowBytes));
        const { bytesRead } = await from.file.read(bytes, 0, bytes.length, offset);
        from.window = bytes.subarray(0, bytesRead);
        from.start = offset;
      }
      const at = offset - from.start;
      return from.window.toString("utf8", at, at + length);
    } catch (error) {
      throw fileError(error, "read", path);
    }
  }

  /** Opens a file; returns whether it exists. */
  async hold(path: string): Promise<boolean> {
    try {
      await this.#open(path);
      return true;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return false;
      throw fileError(error, "read", path);
    }
  }

  async close(): Promise<void> {
    for (const { file } of this.#files.values()) await file.close();
    this.#files.clear();
  }

  async #open(path: string): Promise<OpenFile> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const opened = { file: await open(path), window: Buffer.alloc(0), start: 0 };
    this.#files.set(path, opened);
    return opened;
  }
}

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
  for await (const lines of readJsonBatches(path, { ...options, hint })) {
    for (const { line, value, offset, length } of lines) {
      const parsed = checkedRecord(value);
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
}
