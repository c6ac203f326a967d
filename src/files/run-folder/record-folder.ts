import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RecipeStep } from "../../core/recipe.js";
import type { RecordPosition } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { ownerOfLeftover } from "../atomic.js";
import { namesIn } from "../make-folder.js";
import { RecordIndex } from "../record-index.js";
import { LineReader, readRecords } from "./line-reader.js";
import type { Seals } from "./seals.js";
import { StepFiles } from "./step-files.js";
import { StepRecords } from "./step-records.js";

/**
 * The folder `records/`: one file for each finished step, in plan order, and the segments of
 * processes at work or killed. Readers take the union by key.
 */
export class RecordFolder {
  readonly directory: string;
  readonly #seals: Seals;

  /** @param seals those of the run, by which finished files are sealed */
  constructor(directory: string, seals: Seals) {
    this.directory = directory;
    this.#seals = seals;
  }

  filesOf(step: RecipeStep, position: number): StepFiles {
    return new StepFiles(this.directory, step, position);
  }

  /** Streams a step's records, latest attempt of each key: those of its file, then the rest. */
  async *ofStep(step: RecipeStep, position: number): AsyncGenerator<AnyRecord> {
    const files = this.filesOf(step, position);
    const segments = await files.segments();
    const index = segments.length === 0 ? undefined : new RecordIndex();
    const lines = new LineReader();
    try {
      for (const { path } of segments) {
        // Held open, it can be read to its end even when it is removed: what it holds is then in
        // the step's file, which is read after it.
        if (!(await lines.hold(path))) continue;
        for await (const { record, place } of readRecords(path, { tolerateTornTail: true })) {
          index?.take(record, place);
        }
      }
      if (await lines.hold(files.path)) {
        for await (const { record, place } of readRecords(files.path)) {
          // A file without segments beside it holds each key once.
          if (index === undefined) {
            yield record;
            continue;
          }
          index.take(record, place, { instead: true });
          // The plan notes which keys were told already.
          if (!index.plan(record.key)) continue;
          const counts = index.place(record.key) ?? place;
          yield counts.part === files.path ? record : await readRecord(lines, counts);
        }
      }
      for (const place of index?.unplanned() ?? []) yield await readRecord(lines, place);
    } finally {
      await lines.close();
    }
  }

  /** Opens a step for writing by `owner`. */
  async openStep(step: RecipeStep, position: number, owner: string): Promise<StepRecords> {
    return StepRecords.open({ files: this.filesOf(step, position), owner, seals: this.#seals });
  }
}

/** A line that was a record when it was first read. */
async function readRecord(lines: LineReader, place: RecordPosition): Promise<AnyRecord> {
  return anyRecord.parse(JSON.parse(await lines.read(place)));
}

/** Removes what killed processes left half-written in a folder, and leaves what `isAtWork` owns. */
export async function clearLeftovers(
  directory: string,
  isAtWork: (owner: string) => boolean,
): Promise<void> {
  for (const name of await namesIn(directory)) {
    const owner = ownerOfLeftover(name);
    if (owner === undefined || isAtWork(owner)) continue;
    await rm(join(directory, name), { force: true });
  }
}
