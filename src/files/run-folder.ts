import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../core/errors.js";
import { canonicalJson, type Json } from "../core/json.js";
import type { AnyRecord, RecordOf, RecordType } from "../core/records.js";
import type { Records } from "../core/step.js";
import { writeFileAtomically } from "./atomic.js";
import { Blobs } from "./blobs.js";
import { namesIn } from "./directory.js";
import { fileError, systemCode } from "./file-error.js";
import { readJsonLines } from "./jsonl.js";
import {
  type DescribedStep,
  differences,
  extended,
  type NewRun,
  type Recipe,
  recipeFor,
  recipeSchema,
} from "./recipe.js";
import { RecordFolder } from "./record-folder.js";
import { lockRun } from "./run-lock.js";
import { RunWriter } from "./run-writer.js";
import { segmentsIn } from "./segment.js";
import { TruthFolder } from "./truth.js";

/**
 * A run: a folder with `run.json` (the recipe), `records/`, `trace/`, `blobs/` and `truth/`.
 * Reading takes no lock and holds no file open between calls.
 */
export class RunFolder implements Records {
  readonly directory: string;
  readonly blobs: Blobs;
  readonly truth: TruthFolder;
  readonly #records: RecordFolder;
  readonly #asked: NewRun | undefined;
  #recipe: Recipe;

  private constructor(directory: string, recipe: Recipe, asked?: NewRun) {
    this.directory = directory;
    this.blobs = new Blobs(join(directory, "blobs"));
    this.truth = new TruthFolder(join(directory, "truth"));
    this.#records = new RecordFolder(join(directory, "records"));
    this.#recipe = recipe;
    this.#asked = asked;
  }

  /**
   * Opens a run; with `create` it is made where there is none, and gone on with where one stands.
   * What `create` says is written by `startWriting`, once the steps are known to fit as well.
   *
   * @throws InputError where the folder is no run, or `create` contradicts the run that stands.
   */
  static async open(options: { directory: string; create?: NewRun }): Promise<RunFolder> {
    const { directory, create } = options;
    const recipe = await readRecipe(directory);
    if (create === undefined) {
      if (recipe === undefined) throw notARun(directory);
      return new RunFolder(directory, recipe);
    }
    if (recipe === undefined) await refuseForeignFolder(directory);
    const folder = new RunFolder(directory, recipe ?? recipeFor(create), create);
    folder.#refuseOther({ run: create });
    return folder;
  }

  get recipe(): Recipe {
    return this.#recipe;
  }

  /** The records of a type: latest attempt of each key; steps, and plans within, in order. */
  ofType<Type extends RecordType>(type: Type): AsyncGenerator<RecordOf<Type>> {
    return this.#ofType(type, new Set());
  }

  /** The run as it looks without the steps of these names: what a step may plan from. */
  without(steps: Iterable<string>): Records {
    const hidden = new Set(steps);
    return { ofType: (type) => this.#ofType(type, hidden) };
  }

  /** The records whose key begins with `start`, of whatever type. */
  async withKey(start: string): Promise<AnyRecord[]> {
    const found: AnyRecord[] = [];
    for (const [position, step] of this.#recipe.steps.entries()) {
      for await (const record of this.#records.ofStep(step, position)) {
        if (record.key.startsWith(start)) found.push(record);
      }
    }
    return found;
  }

  /** What was noted beside the records (time, cost, raw replies), oldest session first. */
  async *trace(): AsyncGenerator<unknown> {
    for (const path of await segmentsIn(join(this.directory, "trace"))) {
      for await (const { value } of readJsonLines(path, { tolerateTornTail: true })) yield value;
    }
  }

  /**
   * Adds what the command asked for, and its steps, to the recipe and opens the run for writing;
   * no other process may, until the writer is closed.
   *
   * @throws InputError where command or steps contradict the recipe, which is then left as it was,
   *   or another process is writing.
   */
  async startWriting(steps: readonly DescribedStep[]): Promise<RunWriter> {
    await makeDirectory(this.directory);
    const unlock = await lockRun(this.directory);
    try {
      // Another process may have added to it since it was read.
      this.#recipe = (await readRecipe(this.directory)) ?? this.#recipe;
      await this.#extendRecipe(steps);
      await this.#records.clean();
    } catch (error) {
      await unlock();
      throw error;
    }
    return new RunWriter({
      recipe: this.#recipe,
      records: this.#records,
      traceDirectory: join(this.directory, "trace"),
      unlock,
    });
  }

  async #extendRecipe(steps: readonly DescribedStep[]): Promise<void> {
    const added = { ...(this.#asked === undefined ? {} : { run: this.#asked }), steps };
    this.#refuseOther(added);
    const recipe = extended(this.#recipe, added);
    const isSame = canonicalJson(recipe as Json) === canonicalJson(this.#recipe as Json);
    const path = recipePath(this.directory);
    if (!isSame) await writeFileAtomically(path, `${JSON.stringify(recipe, null, 2)}\n`);
    this.#recipe = recipe;
  }

  #refuseOther(added: { run?: NewRun; steps?: readonly DescribedStep[] }): void {
    const problems = differences(this.#recipe, added);
    if (problems.length > 0) throw otherRecipe(this.directory, this.#recipe, problems);
  }

  async *#ofType<Type extends RecordType>(
    type: Type,
    hidden: ReadonlySet<string>,
  ): AsyncGenerator<RecordOf<Type>> {
    for (const [position, step] of this.#recipe.steps.entries()) {
      if (step.produces !== type || hidden.has(step.name)) continue;
      for await (const record of this.#records.ofStep(step, position)) {
        if (isOfType(record, type)) yield record;
      }
    }
  }
}

function isOfType<Type extends RecordType>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> {
  return record.type === type;
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw fileError(error, "write", path);
  }
}

const recipePath = (directory: string): string => join(directory, "run.json");

/** `undefined` where there is no run. */
async function readRecipe(directory: string): Promise<Recipe | undefined> {
  const path = recipePath(directory);
  try {
    return recipeSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) !== undefined) throw fileError(error, "read", path);
    throw new InputError(`Expected the recipe of a run but received something else (in ${path})`, {
      hint: "The file was changed by hand, or written by another version of Touchstone.",
      cause: error,
    });
  }
}

/** Hidden files, such as a file manager's, are in nobody's way. */
async function refuseForeignFolder(directory: string): Promise<void> {
  const [name] = (await namesIn(directory)).filter((candidate) => !candidate.startsWith("."));
  if (name === undefined) return;
  throw new InputError(
    `Expected a new or empty folder, or a run, but received ${directory}, in which ${name} stands`,
    { hint: "Name another folder for the run; it is made where there is none." },
  );
}

function notARun(directory: string): InputError {
  return new InputError(
    `Expected the folder of a run but received ${directory}, which has no run.json`,
    {
      hint: "A run is made by, for example: touchstone demo --run DIR",
    },
  );
}

function otherRecipe(directory: string, recipe: Recipe, problems: readonly string[]): InputError {
  const last = recipe.commands.at(-1);
  return new InputError(
    `Expected what the run in ${directory} was made with but received another recipe`,
    {
      problems,
      hint: `Name another folder for a new run${last === undefined ? "" : `, or go on with this one by: ${last}`}`,
    },
  );
}
