import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json } from "../../core/json.js";
import {
  type DescribedStep,
  differences,
  extended,
  type NewRun,
  type Recipe,
  recipeFor,
  recipeSchema,
} from "../../core/recipe.js";
import type { AnyRecord, RecordOf, RecordType } from "../../core/records.js";
import { type Records, stepId } from "../../core/step.js";
import { namesIn } from "../directory.js";
import { fileError, systemCode } from "../file-error.js";
import { readJsonLines } from "../jsonl.js";
import { nobody } from "../leftovers.js";
import { readTextFile } from "../regular-file.js";
import { Blobs } from "./blobs.js";
import { clearLeftovers, RecordFolder } from "./record-folder.js";
import { type Worker, WorkFolder, type Workplace } from "./run-work.js";
import { RunWriter } from "./run-writer.js";
import { type SealState, Seals, sealsName } from "./seals.js";
import { segmentsIn } from "./segment.js";
import type { StepFiles } from "./step-files.js";
import { TruthFolder } from "./truth.js";

/** A file of a run that is sealed when it is finished. */
export interface SealedFile {
  /** In the folder of the run. */
  readonly name: string;
  readonly path: string;
  /** Whose records it holds, by its `stepId`; `undefined` for the recipe. */
  readonly step: string | undefined;
  readonly state: SealState;
  /** The file of its seal. */
  readonly seal: string;
}

/** What is wrong with a file that is not as it was sealed. */
export const changeText = ({ path, step, state }: SealedFile): string =>
  `${step === undefined ? "the recipe" : `the records of step ${step}`} ` +
  `${state === "gone" ? "are gone" : `${step === undefined ? "was" : "were"} changed`} ` +
  `since ${step === undefined ? "it was" : "they were"} sealed (in ${path})`;

/**
 * A run: a folder with `run.json` (the recipe), `records/`, `trace/`, `blobs/`, `truth/`, `seals/`,
 * and `work/` while processes are at work on it. Reading asks nobody and holds no file open between
 * calls.
 */
export class RunFolder implements Records {
  readonly directory: string;
  readonly blobs: Blobs;
  readonly truth: TruthFolder;
  readonly #seals: Seals;
  readonly #records: RecordFolder;
  readonly #work: WorkFolder;
  readonly #asked: NewRun | undefined;
  #recipe: Recipe;

  private constructor(directory: string, recipe: Recipe, asked?: NewRun) {
    this.directory = directory;
    this.blobs = new Blobs(join(directory, "blobs"));
    this.truth = new TruthFolder(join(directory, "truth"));
    this.#seals = new Seals(directory);
    this.#records = new RecordFolder(join(directory, "records"), this.#seals);
    this.#work = new WorkFolder(join(directory, "work"));
    this.#recipe = recipe;
    this.#asked = asked;
  }

  /**
   * Opens a run; with `create` it is made where there is none, and gone on with where one stands.
   * What `create` says is written by `startWriting`, once the steps are known to fit as well.
   *
   * Files of the run that were sealed must be as they were then; a file of records that is gone may be
   * collected anew, so `mayLack` allows it, as `create` does. `anyhow` is for who lists what is wrong.
   *
   * @throws InputError where the folder is no run, `create` contradicts the run that stands, or files
   *   were changed since they were sealed.
   */
  static async open(options: {
    directory: string;
    create?: NewRun;
    mayLack?: boolean;
    anyhow?: boolean;
  }): Promise<RunFolder> {
    const { directory, create, mayLack = create !== undefined, anyhow = false } = options;
    const standing = await readRecipe(directory);
    const recipe = standing ?? (await newRecipe(directory, create));
    const folder = new RunFolder(directory, recipe, create);
    if (standing !== undefined && !anyhow) await folder.#refuseChanged({ mayLack });
    if (create !== undefined) folder.#refuseOther({ run: create });
    return folder;
  }

  get recipe(): Recipe {
    return this.#recipe;
  }

  /** The records of a type: latest attempt of each key; steps, and plans within, in order. */
  ofType<Type extends RecordType>(type: Type): AsyncGenerator<RecordOf<Type>> {
    return this.#ofType(type, new Set());
  }

  /** The run as it looks without the steps of these ids: what a step may plan from. */
  without(steps: Iterable<string>): Records {
    const hidden = new Set(steps);
    return { ofType: (type) => this.#ofType(type, hidden) };
  }

  /** The processes at work on the run. */
  async workers(): Promise<readonly Worker[]> {
    return (await this.#work.look()).living;
  }

  /** The files of each step of the recipe. */
  stepFiles(): readonly StepFiles[] {
    return this.#recipe.steps.map((step, position) => this.#records.filesOf(step, position));
  }

  /** The recipe's file and that of each step, and how each stands to its seal. */
  async seals(): Promise<readonly SealedFile[]> {
    const sealed = async (name: string, step?: string): Promise<SealedFile> => ({
      name,
      step,
      path: join(this.directory, name),
      seal: this.#seals.pathOf(name),
      state: await this.#seals.stateOf(name),
    });
    const steps = this.#recipe.steps.map(async (step, position) => {
      const files = this.#records.filesOf(step, position);
      const found = await sealed(files.name, stepId(step));
      // One that was being put in order when its process was killed has all in its segments.
      const isElsewhere = found.state === "gone" && (await files.segments()).length > 0;
      return isElsewhere ? { ...found, state: "absent" as const } : found;
    });
    return Promise.all([sealed(recipeName), ...steps]);
  }

  /** The records of one step of the recipe, by its `stepId`. */
  async *ofStep(id: string): AsyncGenerator<AnyRecord> {
    for (const [position, step] of this.#recipe.steps.entries()) {
      if (stepId(step) === id) yield* this.#records.ofStep(step, position);
    }
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
   * Adds what the command asked for, and its steps, to the recipe and opens the run for writing,
   * until the writer is closed. Others may write at the same time, each to files of its own.
   *
   * @throws InputError where command or steps contradict the recipe, which is then left as it was.
   */
  async startWriting(steps: readonly DescribedStep[]): Promise<RunWriter> {
    await makeDirectory(this.directory);
    const command = this.#asked?.command;
    const workplace = await this.#work.enter(command === undefined ? {} : { command });
    try {
      await workplace.inTurn(async () => {
        // Another process may have added to it since it was read.
        this.#recipe = (await readRecipe(this.directory)) ?? this.#recipe;
        await this.#extendRecipe(steps, workplace);
        await this.#clearAfterKilled();
      });
    } catch (error) {
      await workplace.leave();
      throw error;
    }
    return new RunWriter({
      directory: this.directory,
      recipe: this.#recipe,
      records: this.#records,
      workplace,
    });
  }

  /** Removes the half-written files of processes that were killed, and their places at work. */
  async #clearAfterKilled(): Promise<void> {
    const { living, gone } = await this.#work.look();
    // Nobody's are those of a report that is being written, which has no place at work.
    const isAtWork = (owner: string) => owner === nobody || living.some(({ id }) => id === owner);
    await clearLeftovers(this.directory, isAtWork);
    await clearLeftovers(this.#records.directory, isAtWork);
    await clearLeftovers(join(this.directory, sealsName), isAtWork);
    await clearLeftovers(join(this.directory, sealsName, "records"), isAtWork);
    await clearLeftovers(this.#work.directory, isAtWork);
    if (gone.length === 0) return;
    for (const { directory } of [this.blobs, this.truth]) {
      for (const name of await namesIn(directory)) {
        if (/^[0-9a-f]{2}$/.test(name)) await clearLeftovers(join(directory, name), isAtWork);
      }
    }
    await this.#work.clear(gone);
  }

  async #extendRecipe(steps: readonly DescribedStep[], { id }: Workplace): Promise<void> {
    const added = { ...(this.#asked === undefined ? {} : { run: this.#asked }), steps };
    this.#refuseOther(added);
    const recipe = extended(this.#recipe, added);
    const isSame = canonicalJson(recipe as Json) === canonicalJson(this.#recipe as Json);
    if (!isSame) {
      await this.#seals.write(recipeName, `${JSON.stringify(recipe, null, 2)}\n`, { owner: id });
    }
    this.#recipe = recipe;
  }

  async #refuseChanged({ mayLack }: { readonly mayLack: boolean }): Promise<void> {
    const wrong = (await this.seals()).filter(
      ({ state }) => state === "changed" || (state === "gone" && !mayLack),
    );
    if (wrong.length > 0) throw changedRun(this.directory, wrong);
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
      if (step.produces !== type || hidden.has(stepId(step))) continue;
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

const recipeName = "run.json";
const recipePath = (directory: string): string => join(directory, recipeName);

/** `undefined` where there is no run. */
async function readRecipe(directory: string): Promise<Recipe | undefined> {
  const path = recipePath(directory);
  try {
    return recipeSchema.parse(JSON.parse(await readTextFile(path)));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) !== undefined) throw fileError(error, "read", path);
    throw new InputError(`Expected the recipe of a run but received something else (in ${path})`, {
      hint: "The file was changed by hand, or written by another version of Touchstone.",
      cause: error,
    });
  }
}

async function newRecipe(directory: string, create: NewRun | undefined): Promise<Recipe> {
  if (create === undefined) throw notARun(directory);
  await refuseForeignFolder(directory);
  return recipeFor(create);
}

/** Hidden files, such as a file manager's, are in nobody's way. */
async function refuseForeignFolder(directory: string): Promise<void> {
  const [name] = (await namesIn(directory)).filter((candidate) => !candidate.startsWith("."));
  if (name === undefined) return;
  throw new InputError(
    `Expected a new or empty folder, or a run, but received ${directory}, which holds ${name}`,
    { hint: "Name another folder for the run; it is made where there is none." },
  );
}

function changedRun(directory: string, wrong: readonly SealedFile[]): InputError {
  const steps = wrong.some(({ step }) => step !== undefined);
  return new InputError(
    `Expected the run in ${directory} as it was sealed when its steps were finished, but ` +
      `${wrong.length === 1 ? "a file was" : `${wrong.length} files were`} changed since`,
    {
      problems: wrong.map(changeText),
      hint:
        `Put back what was there${steps ? ", or remove the file of records and resume the run, which collects them anew" : ""}. ` +
        `If you mean the change, remove its seal, ${wrong.map(({ seal }) => seal).join(", ")}: the file then counts as unsealed.`,
    },
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
