import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json, type JsonObject } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { Recipe } from "../../core/recipe.js";
import type {
  EndingCount,
  KeyState,
  RunWriter,
  StepWriter,
  TruthStore,
} from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { stepId } from "../../core/step.js";
import { writeFileAtomically } from "../atomic.js";
import { fileError, systemCode } from "../file-error.js";
import { namesIn } from "../make-folder.js";
import type { RecordIndex } from "../record-index.js";
import { Blobs } from "./blobs.js";
import type { RecordFolder } from "./record-folder.js";
import type { Workplace } from "./run-work.js";
import { Segment } from "./segment.js";
import type { StepRecords } from "./step-records.js";

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
    (await this.#trace).append([JSON.stringify(entry)]);
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

/** A step of a run folder while it is collected. */
class FolderStep implements StepWriter {
  readonly #records: StepRecords;
  readonly #workplace: Workplace;
  readonly #trace: (entry: JsonObject) => Promise<void>;

  constructor(parts: {
    readonly records: StepRecords;
    readonly workplace: Workplace;
    readonly trace: (entry: JsonObject) => Promise<void>;
  }) {
    this.#records = parts.records;
    this.#workplace = parts.workplace;
    this.#trace = parts.trace;
  }

  get planned(): number {
    return this.#records.index.planned;
  }

  get wanted(): number {
    return this.#records.index.wanted;
  }

  async plan(keys: readonly Key[]): Promise<readonly boolean[]> {
    return keys.map((key) => this.#records.index.plan(key));
  }

  async look(keys: readonly Key[]): Promise<readonly KeyState[]> {
    const { index } = this.#records;
    return keys.map((key) => ({
      isWanted: index.isWanted(key),
      attempt: index.get(key)?.attempt ?? 0,
    }));
  }

  async count(): Promise<readonly EndingCount[]> {
    return countEndings(this.#records.index);
  }

  async forget(keys: readonly Key[]): Promise<void> {
    for (const key of keys) this.#records.index.forget(key);
  }

  async append(records: readonly AnyRecord[]): Promise<void> {
    await this.#records.append(records);
  }

  /** @throws InputError where another process took the run over. */
  async finish({ keepsRemains = true }: { readonly keepsRemains?: boolean } = {}): Promise<number> {
    if (this.wanted > 0) throw new RangeError(`Expected no wanted keys but ${this.wanted} are`);
    await this.#workplace.others();
    let unplanned = 0;
    await this.#records.compact(async (entry) => {
      if (!keepsRemains) return;
      if (entry.kind === "unplanned") unplanned++;
      await this.#trace(entry);
    });
    return unplanned;
  }

  close(): Promise<void> {
    return this.#records.close();
  }
}

/** Counts the planned keys that have a record by how they ended, in order of appearance. */
function countEndings(index: RecordIndex): readonly EndingCount[] {
  const counts = new Map<
    string,
    { -readonly [Member in keyof EndingCount]: EndingCount[Member] }
  >();
  for (const { standing } of index.inOrder()) {
    const { reason, retryable } = standing;
    const ending = `${reason} ${retryable}`;
    const known = counts.get(ending);
    if (known === undefined) counts.set(ending, { reason, retryable, count: 1 });
    else known.count++;
  }
  return [...counts.values()];
}

/**
 * True contents of pictures, as their generator says, by the key of the image's record, in files such
 * as `truth/ab/abcd….json`. Two records may have the same pixels and yet other truths: what was
 * wanted of them differs.
 */
export class TruthFolder implements TruthStore {
  readonly directory: string;
  readonly #owner: string | undefined;

  /** @param owner who writes; see `writeFileAtomically` */
  constructor(directory: string, { owner }: { owner?: string } = {}) {
    this.directory = directory;
    this.#owner = owner;
  }

  async write(image: Key, truth: Json): Promise<void> {
    const owner = this.#owner;
    await writeFileAtomically(
      this.#pathOf(image),
      `${canonicalJson(truth)}\n`,
      owner === undefined ? {} : { owner },
    );
  }

  async read(image: Key): Promise<Json | undefined> {
    const path = this.#pathOf(image);
    try {
      return JSON.parse(await readFile(path, "utf8")) as Json;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      if (error instanceof SyntaxError) {
        throw new InputError(
          `Expected JSON for what is in an image but received other text (in ${path})`,
          {
            hint: "The file was changed or damaged since it was written.",
            cause: error,
          },
        );
      }
      throw fileError(error, "read", path);
    }
  }

  async isEmpty(): Promise<boolean> {
    return (await namesIn(this.directory)).length === 0;
  }

  async problemOf(image: Key): Promise<string | undefined> {
    try {
      if ((await this.read(image)) !== undefined) return undefined;
      return `Expected a truth in ${this.directory} but it is not there`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #pathOf(image: Key): string {
    return join(this.directory, image.slice(0, 2), `${image}.json`);
  }
}
