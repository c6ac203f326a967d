import type { JsonObject } from "../core/json.js";
import type { Recipe } from "./recipe.js";
import type { RecordFolder } from "./record-folder.js";
import { Segment } from "./segment.js";
import type { StepRecords } from "./step-records.js";

/** The one writer of a run, from `RunFolder.startWriting` until `close`. */
export class RunWriter {
  readonly #recipe: Recipe;
  readonly #records: RecordFolder;
  readonly #traceDirectory: string;
  readonly #unlock: () => Promise<void>;
  #trace: Promise<Segment> | undefined;

  constructor(parts: {
    recipe: Recipe;
    records: RecordFolder;
    traceDirectory: string;
    unlock: () => Promise<void>;
  }) {
    this.#recipe = parts.recipe;
    this.#records = parts.records;
    this.#traceDirectory = parts.traceDirectory;
    this.#unlock = parts.unlock;
  }

  /** The records of a step of the recipe. @throws RangeError where it has no such step. */
  async openStep(name: string): Promise<StepRecords> {
    const position = this.#recipe.steps.findIndex((step) => step.name === name);
    const step = this.#recipe.steps[position];
    if (step === undefined)
      throw new RangeError(`Expected a step of the recipe but received ${name}`);
    return this.#records.openStep(step, position);
  }

  /** Notes beside the records what can't be reproduced. Resolves when it is written. */
  async trace(entry: JsonObject): Promise<void> {
    this.#trace ??= Segment.create(this.#traceDirectory);
    await (await this.#trace).append(JSON.stringify(entry));
  }

  /** Ends the trace and lets the next writer in. */
  async close(): Promise<void> {
    const trace = this.#trace;
    this.#trace = undefined;
    try {
      await (await trace)?.close();
    } finally {
      await this.#unlock();
    }
  }
}
