import { join } from "node:path";
import type { JsonObject } from "../../core/json.js";
import type { Recipe } from "../../core/recipe.js";
import type { RunWriter } from "../../core/record-store.js";
import { stepId } from "../../core/step.js";
import { Blobs } from "./blobs.js";
import { FolderStep } from "./folder-step.js";
import type { RecordFolder } from "./record-folder.js";
import type { Workplace } from "./run-work.js";
import { Segment } from "./segment.js";
import { TruthFolder } from "./truth-folder.js";

/** One process's way of writing to a run folder. */
export class FolderWriter implements RunWriter {
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

  async openStep(id: string): Promise<FolderStep> {
    const position = this.#recipe.steps.findIndex((step) => stepId(step) === id);
    const step = this.#recipe.steps[position];
    if (step === undefined) {
      throw new RangeError(`Expected a step of the recipe but received ${id}`);
    }
    return new FolderStep({
      records: await this.#records.openStep(step, position, this.#workplace.id),
      workplace: this.#workplace,
      trace: (entry) => this.trace(entry),
    });
  }

  async trace(entry: JsonObject): Promise<void> {
    this.#trace ??= Segment.create(this.#traceDirectory);
    await (await this.#trace).append(JSON.stringify(entry));
  }

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
