import { join } from "node:path";
import type { JsonObject } from "../../core/json.js";
import type { Recipe } from "../../core/recipe.js";
import { stepId } from "../../core/step.js";
import { Blobs } from "./blobs.js";
import type { RecordFolder } from "./record-folder.js";
import type { Claim, Worker, Workplace } from "./run-work.js";
import { Segment } from "./segment.js";
import type { StepRecords } from "./step-records.js";
import { TruthFolder } from "./truth.js";

/** One process's way of writing to a run, from `RunFolder.startWriting` until `close`. */
export class RunWriter {
  readonly blobs: Blobs;
  readonly truth: TruthFolder;
  readonly #recipe: Recipe;
  readonly #records: RecordFolder;
  readonly #traceDirectory: string;
  readonly #workplace: Workplace;
  #trace: Promise<Segment> | undefined;

  constructor(parts: {
    directory: string;
    recipe: Recipe;
    records: RecordFolder;
    workplace: Workplace;
  }) {
    const { directory, recipe, records, workplace } = parts;
    this.#recipe = recipe;
    this.#records = records;
    this.#workplace = workplace;
    this.#traceDirectory = join(directory, "trace");
    const owner = workplace.id;
    this.blobs = new Blobs(join(directory, "blobs"), { owner });
    this.truth = new TruthFolder(join(directory, "truth"), { owner });
  }

  /** The records of a step of the recipe. @throws RangeError where it has no such step. */
  async openStep(id: string): Promise<StepRecords> {
    const position = this.#recipe.steps.findIndex((step) => stepId(step) === id);
    const step = this.#recipe.steps[position];
    if (step === undefined) {
      throw new RangeError(`Expected a step of the recipe but received ${id}`);
    }
    return this.#records.openStep(step, position, this.#workplace.id);
  }

  /** Claims a name, unless another at work on the run claims it; says who is at work. */
  claim(name: string): Promise<Claim> {
    return this.#workplace.claim(name);
  }

  release(name: string): Promise<void> {
    return this.#workplace.release(name);
  }

  /** The other processes at work on the run. */
  others(): Promise<readonly Worker[]> {
    return this.#workplace.others();
  }

  /** Notes beside the records what can't be reproduced. Resolves when it is written. */
  async trace(entry: JsonObject): Promise<void> {
    this.#trace ??= Segment.create(this.#traceDirectory);
    await (await this.#trace).append(JSON.stringify(entry));
  }

  /** Ends the trace and being at work. */
  async close(): Promise<void> {
    const trace = this.#trace;
    this.#trace = undefined;
    try {
      await (await trace)?.close();
    } finally {
      await this.#workplace.leave();
    }
  }
}
