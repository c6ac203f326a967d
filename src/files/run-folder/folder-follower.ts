import { stat } from "node:fs/promises";
import type { Recipe } from "../../core/recipe.js";
import type { FollowedRecord, RecordFollower, RecordPosition } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { stepId } from "../../core/step.js";
import { systemCode } from "../file-error.js";
import { readJsonBatches } from "../json-lines.js";
import { LineReader } from "./line-reader.js";
import type { StepFiles } from "./step-files.js";

/** A file of records and how much of it was read, in bytes. */
interface ReadFile {
  readonly path: string;
  readonly step: string;
  readonly isInOrder: boolean;
  readonly inode: number;
  read: number;
  size: number;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && systemCode(error.cause) === "ENOENT";

/** The run that is followed, as far as its folder tells. */
interface FollowedRun {
  readonly recipe: Recipe;
  readAgain(): Promise<void>;
  /** The files of each step of the recipe, in its order. */
  stepFiles(): readonly StepFiles[];
}

/** Reads the files of a run's records on from where they were read to. */
export class FolderFollower implements RecordFollower {
  readonly #run: FollowedRun;
  readonly #files = new Map<string, ReadFile>();

  constructor(run: FollowedRun) {
    this.#run = run;
  }

  get progress(): { readonly read: number; readonly total: number } {
    let [read, total] = [0, 0];
    for (const file of this.#files.values()) {
      read += file.read;
      total += file.size;
    }
    return { read, total };
  }

  async *news(): AsyncGenerator<readonly FollowedRecord[]> {
    await this.#run.readAgain();
    await this.#look();
    for (const file of this.#files.values()) {
      if (file.read >= file.size) continue;
      const { path, step, isInOrder, read } = file;
      try {
        for await (const lines of readJsonBatches(path, { tolerateTornTail: true, from: read })) {
          const last = lines.at(-1);
          if (last !== undefined) file.read = last.offset + last.length + 1;
          yield lines.map(({ value, offset, length }) => ({
            step,
            value,
            isInOrder,
            position: { part: path, offset, length },
          }));
        }
      } catch (error) {
        // A segment that was removed just now: what it held is in the step's file.
        if (!isMissing(error)) throw error;
      }
    }
  }

  async *read(positions: readonly RecordPosition[]): AsyncGenerator<AnyRecord> {
    const lines = new LineReader();
    try {
      for (const position of positions) {
        yield anyRecord.parse(JSON.parse(await lines.read(position)));
      }
    } finally {
      await lines.close();
    }
  }

  /** Sees which files there are, and how long they are by now. */
  async #look(): Promise<void> {
    const present = new Set<string>();
    for (const [at, files] of this.#run.stepFiles().entries()) {
      const described = this.#run.recipe.steps[at];
      if (described === undefined) continue;
      // Segments first: one that is removed meanwhile was put in order into the step's file.
      const segments = (await files.segments()).map(({ path }) => path);
      for (const path of [...segments, files.path]) {
        const found = await stat(path).catch(() => undefined);
        if (found === undefined) continue;
        present.add(path);
        const known = this.#files.get(path);
        if (known !== undefined && known.inode === found.ino && found.size >= known.read) {
          known.size = found.size;
          continue;
        }
        const step = stepId(described);
        const isInOrder = path === files.path;
        const { ino: inode, size } = found;
        this.#files.set(path, { path, step, isInOrder, inode, read: 0, size });
      }
    }
    for (const path of this.#files.keys()) if (!present.has(path)) this.#files.delete(path);
  }
}
