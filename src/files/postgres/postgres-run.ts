import { InputError } from "../../core/errors.js";
import {
  type DescribedStep,
  differences,
  type NewRun,
  type Recipe,
  recipeFor,
} from "../../core/recipe.js";
import type {
  BlobStore,
  RecordStore,
  StepState,
  StoreCheck,
  StoredEntry,
  Worker,
} from "../../core/record-store.js";
import type { AnyRecord, RecordOf, RecordType } from "../../core/records.js";
import { type Records, stepId } from "../../core/step.js";
import { openBlobs } from "../blobs/open-blobs.js";
import { otherRecipe } from "../recipe-errors.js";
import { postgresPlace } from "./address.js";
import { type Database, databaseAt } from "./database.js";
import { PostgresBlobs, PostgresDocuments, PostgresTruths } from "./kept.js";
import { countingSeqs, linesAppended, linesAt, linesInOrder, recordOf } from "./lines.js";
import { PostgresFollower } from "./postgres-follower.js";
import { imagesInDatabase, PostgresWriter, type WrittenRecipe } from "./postgres-writer.js";
import { parsedRecipe, textSeal } from "./recipe-text.js";
import { reclaimTables } from "./reclaim-tables.js";
import { sealOf } from "./seal.js";
import type { StepRow } from "./step-row.js";
import { livingWorkers } from "./work.js";

export interface PostgresOptions {
  readonly create?: NewRun;
  readonly copyOf?: Recipe;
  readonly mayLack?: boolean;
  readonly anyhow?: boolean;
}

/** A run in a PostgreSQL database, by its name there. */
export class PostgresRun implements RecordStore {
  readonly place: string;
  readonly database: Database;
  readonly name: string;
  readonly truth: PostgresTruths;
  readonly documents: PostgresDocuments;
  readonly #asked: { readonly run?: NewRun; readonly copyOf?: Recipe };
  #recipe: Recipe;
  #number: number | undefined;
  #blobs: BlobStore;
  /** Where the images of the run lie, as far as is known; undefined: in the database. */
  #blobsAt: string | undefined;
  /** Where this process was told that they lie. */
  readonly #blobsTold: string | undefined;

  private constructor(
    place: string,
    recipe: Recipe,
    options: PostgresOptions,
    { number, blobs }: { readonly number: number | undefined; readonly blobs: string | undefined },
  ) {
    const { connection, run, shown, blobs: told } = postgresPlace(place);
    this.place = shown;
    this.name = run;
    this.database = databaseAt(connection);
    this.#recipe = recipe;
    this.#number = number;
    const { create, copyOf } = options;
    this.#asked = {
      ...(create === undefined ? {} : { run: create }),
      ...(copyOf === undefined ? {} : { copyOf }),
    };
    this.truth = new PostgresTruths(this);
    this.documents = new PostgresDocuments(place);
    this.#blobsTold = told;
    this.#blobsAt = told ?? blobs;
    this.#blobs = this.#blobsAt === undefined ? new PostgresBlobs(this) : openBlobs(this.#blobsAt);
  }

  /** Opens a run, or is ready to make it; see `openStore`. */
  static async open(place: string, options: PostgresOptions): Promise<PostgresRun> {
    const { connection, run, shown, blobs } = postgresPlace(place);
    const { create, copyOf, anyhow = false } = options;
    if (run === "") {
      throw new InputError(`Expected a run in ${shown} but received the database alone`, {
        hint: "Name the run: --run NAME, or NAME at the end of the address's path.",
      });
    }
    const standing = await readRun(databaseAt(connection), run);
    if (standing !== undefined && standing.blobs === null && blobs !== undefined) {
      throw imagesInDatabase(shown);
    }
    const recipe =
      standing === undefined
        ? (copyOf ?? (create === undefined ? undefined : recipeFor(create)))
        : parsedRecipe(standing.recipe, shown);
    if (recipe === undefined) {
      throw new InputError(`Expected a run but received ${shown}, where there is none`, {
        hint: `A run is made there by, for example: touchstone demo --store ${databaseAt(connection).shown} --run NAME`,
      });
    }
    const opened = new PostgresRun(place, recipe, options, {
      number: standing?.id,
      // A run within another, such as a chapter of a demo, keeps its images with it.
      blobs: standing
        ? (standing.blobs ?? undefined)
        : await blobsAround(databaseAt(connection), run),
    });
    const mayLack = options.mayLack ?? (create !== undefined || copyOf !== undefined);
    if (standing !== undefined && !anyhow) await opened.#refuseChanged({ mayLack });
    const problems = create === undefined ? [] : differences(recipe, { run: create });
    if (problems.length > 0) throw otherRecipe(shown, recipe, problems);
    return opened;
  }

  get recipe(): Recipe {
    return this.#recipe;
  }

  get blobs(): BlobStore {
    return this.#blobs;
  }

  /** Where the images of the run lie; undefined: in the database. */
  get blobsAt(): string | undefined {
    return this.#blobsAt;
  }

  async number(): Promise<number | undefined> {
    this.#number ??= (await readRun(this.database, this.name))?.id;
    return this.#number;
  }

  ofType<Type extends RecordType>(type: Type): AsyncGenerator<RecordOf<Type>> {
    return this.#ofType(type, new Set());
  }

  without(steps: Iterable<string>): Records {
    const hidden = new Set(steps);
    return { ofType: (type) => this.#ofType(type, hidden) };
  }

  async *ofStep(id: string): AsyncGenerator<AnyRecord> {
    const row = await this.#rowOf(id);
    if (row === undefined || row.last === 0) return;
    const { database } = this;
    const lines =
      row.last === row.ordered
        ? linesInOrder(database, row.id)
        : linesAt(database, { step: row.id, seqs: await countingSeqs(database, row.id) });
    for await (const line of lines) yield recordOf(line, `${this.place}, step ${id}`);
  }

  async *withKey(start: string): AsyncGenerator<AnyRecord> {
    for (const step of this.#recipe.steps) {
      for await (const record of this.ofStep(stepId(step))) {
        if (record.key.startsWith(start)) yield record;
      }
    }
  }

  async *trace(): AsyncGenerator<unknown> {
    const run = await this.number();
    for (let after: [number, number] = [0, 0]; run !== undefined; ) {
      const rows = await this.database.rows<{ worker: number; seq: number; entry: string }>(
        `select worker, seq, entry from touchstone.traces
         where run = $1 and (worker, seq) > ($2, $3) order by worker, seq limit 2000`,
        [run, ...after],
      );
      for (const { entry } of rows) yield JSON.parse(entry);
      const end = rows.at(-1);
      if (end === undefined) return;
      after = [end.worker, end.seq];
    }
  }

  async stateOf(id: string): Promise<StepState> {
    const row = await this.#rowOf(id);
    if (row === undefined || row.last === 0) return "absent";
    return row.last === row.ordered ? "finished" : "begun";
  }

  async fileOf(): Promise<undefined> {}

  async changedAt(): Promise<Date | undefined> {
    const run = await this.number();
    if (run === undefined) return undefined;
    const [found] = await this.database.rows<{ changed: Date }>(
      `select greatest(r.changed, (select max(s.changed) from touchstone.steps s where s.run = r.id))
         as changed from touchstone.runs r where r.id = $1`,
      [run],
    );
    return found?.changed;
  }

  reclaim(): Promise<readonly string[]> {
    return reclaimTables(this.database);
  }

  follow(): PostgresFollower {
    return new PostgresFollower(this);
  }

  async workers(): Promise<readonly Worker[]> {
    const run = await this.number();
    return run === undefined ? [] : livingWorkers(this.database, run);
  }

  startWriting(steps: readonly DescribedStep[]): Promise<PostgresWriter> {
    return PostgresWriter.start(this, { ...this.#asked, steps });
  }

  async *entriesOf(id: string): AsyncGenerator<StoredEntry> {
    const row = await this.#rowOf(id);
    if (row === undefined) return;
    const inOrder = { part: `${id}, in order`, isInOrder: true };
    for await (const line of linesInOrder(this.database, row.id)) {
      yield this.#entry(line, {
        ...inOrder,
        where: `in ${this.place}, step ${id}, place ${line.place}`,
      });
    }
    for await (const line of linesAppended(this.database, { step: row.id, after: row.ordered })) {
      const part = `${id}, worker ${line.worker}`;
      const where = `in ${this.place}, step ${id}, record ${line.seq}`;
      yield this.#entry(line, { part, isInOrder: false, where });
    }
  }

  async check(): Promise<StoreCheck> {
    const { recipeStands, changed, gone, strange } = await this.#seals();
    return {
      unsealed: [],
      recipeStands,
      problems: [
        ...(recipeStands ? [] : [`the recipe was changed since it was sealed (in ${this.place})`]),
        ...[...changed, ...gone].map((step) => changeText(step, this.place, gone.includes(step))),
        ...strange.map((step) => `No step of the recipe has the records of ${step}`),
      ],
    };
  }

  /** Reads the recipe again, which another may have added to. */
  async readAgain(): Promise<void> {
    const found = await readRun(this.database, this.name);
    if (found === undefined) return;
    this.#number = found.id;
    this.#recipe = parsedRecipe(found.recipe, this.place);
  }

  /** Takes over the state of a run that was written just now. */
  wrote({ number, recipe, blobs }: WrittenRecipe): void {
    this.#number = number;
    this.#recipe = recipe;
    // Another may have made the run meanwhile, and said where its images lie.
    if (blobs === undefined || blobs === this.#blobsAt || this.#blobsTold !== undefined) return;
    this.#blobsAt = blobs;
    this.#blobs = openBlobs(blobs);
  }

  /** The rows of the run's steps, whether the recipe has them or not. */
  async stepRows(): Promise<readonly StepRow[]> {
    const run = await this.number();
    if (run === undefined) return [];
    return this.database.rows<StepRow>(
      `select id, name, last, ordered, version, seal from touchstone.steps where run = $1 order by id`,
      [run],
    );
  }

  async #rowOf(id: string): Promise<StepRow | undefined> {
    if (!this.#recipe.steps.some((step) => stepId(step) === id)) return undefined;
    return (await this.stepRows()).find(({ name }) => name === id);
  }

  #entry(
    line: { readonly seq: number; readonly worker: number; readonly line: string },
    about: { readonly where: string; readonly part: string; readonly isInOrder: boolean },
  ): StoredEntry {
    try {
      return { ...about, record: recordOf(line, about.where) };
    } catch (error) {
      return { ...about, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async #seals() {
    const found = await readRun(this.database, this.name);
    const names = new Set(this.#recipe.steps.map((step) => stepId(step)));
    const [changed, gone, strange]: [string[], string[], string[]] = [[], [], []];
    for (const row of await this.stepRows()) {
      if (!names.has(row.name) && row.last > 0) strange.push(row.name);
      if (row.seal === null) continue;
      const { seal, records } = await sealOf(this.database, row.id);
      if (seal !== row.seal) (records === 0 ? gone : changed).push(row.name);
    }
    const recipeStands = found === undefined || textSeal(found.recipe) === found.seal;
    return { recipeStands, changed, gone, strange };
  }

  async #refuseChanged({ mayLack }: { readonly mayLack: boolean }): Promise<void> {
    const { recipeStands, changed, gone } = await this.#seals();
    const wrong = [...changed, ...(mayLack ? [] : gone)];
    if (recipeStands && wrong.length === 0) return;
    throw new InputError(
      `Expected the run in ${this.place} as it was sealed when its steps were finished, but it was changed since`,
      {
        problems: [
          ...(recipeStands ? [] : ["the recipe was changed since it was sealed"]),
          ...wrong.map((step) => changeText(step, this.place, gone.includes(step))),
        ],
        hint: "Put back what was there, or copy the run anew from where it is whole.",
      },
    );
  }

  async *#ofType<Type extends RecordType>(
    type: Type,
    hidden: ReadonlySet<string>,
  ): AsyncGenerator<RecordOf<Type>> {
    for (const step of this.#recipe.steps) {
      if (step.produces !== type || hidden.has(stepId(step))) continue;
      for await (const record of this.ofStep(stepId(step))) {
        if (isOfType(record, type)) yield record;
      }
    }
  }
}

const changeText = (step: string, place: string, isGone: boolean): string =>
  `the records of step ${step} ${isGone ? "are gone" : "were changed"} since they were sealed (in ${place})`;

async function readRun(database: Database, name: string) {
  if (!(await database.hasTables())) return undefined;
  // Tables of an earlier version have no column `blobs`.
  const [found] = await database.rows<{
    id: number;
    recipe: string;
    seal: string;
    blobs: string | null;
  }>(
    `select id, recipe, seal, to_jsonb(r) ->> 'blobs' as blobs from touchstone.runs r where name = $1`,
    [name],
  );
  return found;
}

/** Where the images of the run lie that a run of this name lies in. */
async function blobsAround(database: Database, name: string): Promise<string | undefined> {
  if (!(await database.hasTables())) return undefined;
  const [found] = await database.rows<{ blobs: string | null }>(
    `select to_jsonb(r) ->> 'blobs' as blobs from touchstone.runs r
     where starts_with($1, name || '/') order by length(name) desc limit 1`,
    [name],
  );
  return found?.blobs ?? undefined;
}

function isOfType<Type extends RecordType>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> {
  return record.type === type;
}
