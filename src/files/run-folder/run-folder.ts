import { stat } from "node:fs/promises";
import { join } from "node:path";
import { largestOf } from "../../core/arrays.js";
import { canonicalJson, type Json } from "../../core/json.js";
import {
  type DescribedStep,
  differences,
  extended,
  type NewRun,
  type Recipe,
} from "../../core/recipe.js";
import type {
  RecordStore,
  StepState,
  StoreCheck,
  StoredEntry,
  Worker,
} from "../../core/record-store.js";
import type { AnyRecord, RecordOf, RecordType } from "../../core/records.js";
import { type Records, stepId } from "../../core/step.js";
import { nobody } from "../atomic.js";
import { readJsonLines } from "../json-lines.js";
import { makeFolder, namesIn } from "../make-folder.js";
import { Blobs } from "./blobs.js";
import { changedRun, checkFolder, type SealedFile, storedEntries } from "./check-folder.js";
import { FolderFollower } from "./folder-follower.js";
import {
  DocumentFolder,
  isRunFolder,
  newRecipe,
  otherRecipe,
  readRecipe,
  recipeName,
} from "./recipe-file.js";
import { clearLeftovers, RecordFolder } from "./record-folder.js";
import { heldRun, WorkFolder, type Workplace, workerOf } from "./run-work.js";
import { FolderWriter, TruthFolder } from "./run-writer.js";
import { Seals, sealsName } from "./seals.js";
import { segmentsIn } from "./segment.js";
import type { StepFiles } from "./step-files.js";

/**
 * A run as a folder with `run.json` (the recipe), `records/`, `trace/`, `blobs/`, `truth/`, `seals/`,
 * and `work/` while processes are at work on it.
 */
export class RunFolder implements RecordStore {
  readonly directory: string;
  readonly blobs: Blobs;
  readonly truth: TruthFolder;
  readonly documents: DocumentFolder;
  readonly #seals: Seals;
  readonly #records: RecordFolder;
  readonly #work: WorkFolder;
  readonly #asked: NewRun | undefined;
  #recipe: Recipe;

  private constructor(directory: string, recipe: Recipe, create: NewRun | undefined) {
    this.directory = directory;
    this.blobs = new Blobs(join(directory, "blobs"));
    this.truth = new TruthFolder(join(directory, "truth"));
    this.documents = new DocumentFolder(directory);
    this.#seals = new Seals(directory);
    this.#records = new RecordFolder(join(directory, "records"), this.#seals);
    this.#work = new WorkFolder(join(directory, "work"));
    this.#recipe = recipe;
    this.#asked = create;
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
    const { directory, create, anyhow = false } = options;
    const mayLack = options.mayLack ?? create !== undefined;
    const standing = await readRecipe(directory);
    const recipe = standing ?? (await newRecipe(directory, create));
    const folder = new RunFolder(directory, recipe, create);
    if (standing !== undefined && !anyhow) await folder.#refuseChanged({ mayLack });
    if (create !== undefined) folder.#refuseOther({ run: create });
    return folder;
  }

  get place(): string {
    return this.directory;
  }

  get recipe(): Recipe {
    return this.#recipe;
  }

  /** The records of a type: latest attempt of each key; steps, and plans within, in order. */
  ofType<Type extends RecordType>(type: Type): AsyncGenerator<RecordOf<Type>> {
    return this.#ofType(type, new Set());
  }

  without(steps: Iterable<string>): Records {
    const hidden = new Set(steps);
    return { ofType: (type) => this.#ofType(type, hidden) };
  }

  async workers(): Promise<readonly Worker[]> {
    return (await this.#work.look()).living.filter(({ waits }) => waits !== true).map(workerOf);
  }

  follow(): FolderFollower {
    return new FolderFollower(this);
  }

  async changedAt(): Promise<Date | undefined> {
    const paths = [join(this.directory, recipeName), ...this.stepFiles().map(({ path }) => path)];
    const times = await Promise.all(
      paths.map((path) =>
        stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    const latest = largestOf(times);
    return latest === 0 ? undefined : new Date(latest);
  }

  /** Reads the recipe again, which another process may have added to. */
  async readAgain(): Promise<void> {
    this.#recipe = (await readRecipe(this.directory)) ?? this.#recipe;
  }

  /** The files of each step of the recipe. */
  stepFiles(): readonly StepFiles[] {
    return this.#recipe.steps.map((step, position) => this.#records.filesOf(step, position));
  }

  async stateOf(id: string): Promise<StepState> {
    const files = this.#filesOf(id);
    // Segments first: those that go meanwhile leave the step's own file behind.
    if (files === undefined) return "absent";
    if ((await files.segments()).length > 0) return "begun";
    return (await files.exists()) ? "finished" : "absent";
  }

  async fileOf(id: string): Promise<string | undefined> {
    return (await this.stateOf(id)) === "finished" ? this.#filesOf(id)?.path : undefined;
  }

  async *entriesOf(id: string): AsyncGenerator<StoredEntry> {
    const files = this.#filesOf(id);
    if (files !== undefined) yield* storedEntries(files);
  }

  async check(): Promise<StoreCheck> {
    const [sealed, steps] = [await this.seals(), this.stepFiles()];
    return checkFolder({ sealed, records: this.#records.directory, steps });
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

  async *ofStep(id: string): AsyncGenerator<AnyRecord> {
    for (const [position, step] of this.#recipe.steps.entries()) {
      if (stepId(step) === id) yield* this.#records.ofStep(step, position);
    }
  }

  async *withKey(start: string): AsyncGenerator<AnyRecord> {
    for (const [position, step] of this.#recipe.steps.entries()) {
      for await (const record of this.#records.ofStep(step, position)) {
        if (record.key.startsWith(start)) yield record;
      }
    }
  }

  async *trace(): AsyncGenerator<unknown> {
    for (const path of await segmentsIn(join(this.directory, "trace"))) {
      for await (const { value } of readJsonLines(path, { tolerateTornTail: true })) yield value;
    }
  }

  async startWriting(steps: readonly DescribedStep[]): Promise<FolderWriter> {
    await makeFolder(this.directory);
    const command = this.#asked?.command;
    const workplace = await this.#work.enter(command === undefined ? {} : { command });
    try {
      const holder = await workplace.hold();
      if (holder !== undefined) throw heldRun(this.directory, holder);
      // Another process may have added to it since it was read.
      await this.readAgain();
      await this.#extendRecipe(steps, workplace);
      await this.#clearAfterKilled();
    } catch (error) {
      await workplace.leave();
      throw error;
    }
    return new FolderWriter({
      directory: this.directory,
      recipe: this.#recipe,
      records: this.#records,
      workplace,
    });
  }

  #filesOf(id: string): StepFiles | undefined {
    const position = this.#recipe.steps.findIndex((step) => stepId(step) === id);
    const step = this.#recipe.steps[position];
    return step === undefined ? undefined : this.#records.filesOf(step, position);
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
    if (!isSame || !(await isRunFolder(this.directory))) {
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
