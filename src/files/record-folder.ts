import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Key } from "../core/keys.js";
import type { AnyRecord } from "../core/records.js";
import { isLeftover } from "./atomic.js";
import { namesIn } from "./directory.js";
import { readRecords, supersedes } from "./read-records.js";
import type { RecipeStep } from "./recipe.js";
import { segmentsIn } from "./segment.js";
import { StepRecords } from "./step-records.js";

/**
 * The folder `records/`: one file for each finished step, in plan order, and the segments of
 * processes at work or killed. Readers take the union by key.
 */
export class RecordFolder {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Streams a step's records, latest attempt of each key: those of its file, then the rest. */
  async *ofStep(step: RecipeStep, position: number): AsyncGenerator<AnyRecord> {
    const rest = new Map<Key, AnyRecord>();
    for (const path of await segmentsIn(this.directory)) {
      for await (const { record } of readRecords(path, { tolerateTornTail: true })) {
        if (record.step !== nameOf(step)) continue;
        if (supersedes(record, rest.get(record.key))) rest.set(record.key, record);
      }
    }
    const { path, exists } = await this.#fileOf(step, position);
    if (exists) {
      for await (const { record } of readRecords(path)) {
        const other = rest.get(record.key);
        rest.delete(record.key);
        yield other !== undefined && supersedes(other, record) ? other : record;
      }
    }
    yield* rest.values();
  }

  /** Opens a step for writing. */
  async openStep(step: RecipeStep, position: number): Promise<StepRecords> {
    return StepRecords.open({
      step: nameOf(step),
      ...(await this.#fileOf(step, position)),
      segments: await segmentsIn(this.directory),
      directory: this.directory,
    });
  }

  /** Removes what a killed process left half-written. Only for whoever holds the run's lock. */
  async clean(): Promise<void> {
    for (const name of await namesIn(this.directory)) {
      if (isLeftover(name)) await rm(join(this.directory, name), { force: true });
    }
  }

  async #fileOf(step: RecipeStep, position: number): Promise<{ path: string; exists: boolean }> {
    const name = `${String(position + 1).padStart(2, "0")}-${step.name}.jsonl`;
    const exists = (await namesIn(this.directory)).includes(name);
    return { path: join(this.directory, name), exists };
  }
}

const nameOf = ({ name, version }: RecipeStep): string => `${name}@${version}`;
