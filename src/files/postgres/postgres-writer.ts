import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import {
  copyProblems,
  type DescribedStep,
  differences,
  extended,
  type NewRun,
  type Recipe,
} from "../../core/recipe.js";
import { type BlobStore, copying, type RunWriter } from "../../core/record-store.js";
import { stepId } from "../../core/step.js";
import { otherRecipe } from "../recipe-errors.js";
import { Appender } from "./appender.js";
import type { Database } from "./database.js";
import type { PostgresTruths } from "./kept.js";
import { lockSession } from "./lock-session.js";
import { PostgresStep } from "./postgres-step.js";
import { parsedRecipe, recipeText, textSeal } from "./recipe-text.js";
import { workerLocks } from "./schema.js";
import type { StepRow } from "./step-row.js";
import { livingIds } from "./work.js";

const firstPause = 50;
const longestPause = 2_000;

/** The run that is written to, as far as its writer needs it. */
interface WrittenRun {
  readonly place: string;
  readonly name: string;
  readonly database: Database;
  readonly recipe: Recipe;
  readonly blobs: BlobStore;
  /** Where the images of a run lie that is made; undefined: in the database. */
  readonly blobsAt: string | undefined;
  readonly truth: PostgresTruths;
  stepRows(): Promise<readonly StepRow[]>;
  /** Is told what was written. */
  wrote(written: WrittenRecipe): void;
}

/** State of a run once it is written to. */
export interface WrittenRecipe {
  readonly number: number;
  readonly recipe: Recipe;
  /** Where its images lie; undefined: in the database. */
  readonly blobs: string | undefined;
}

interface Added {
  readonly run?: NewRun;
  readonly copyOf?: Recipe;
  readonly steps: readonly DescribedStep[];
}

/**
 * One worker's way of writing to a run in a database. It is at work while a connection of its own
 * holds its lock; where that breaks, it takes its lock again. What it had claimed may meanwhile be
 * in another's hands: it is then asked twice and counted once.
 */
export class PostgresWriter implements RunWriter {
  readonly blobs: BlobStore;
  readonly truth: PostgresTruths;
  readonly #run: WrittenRun;
  readonly #worker: number;
  readonly #appender: Appender;
  #lock: Client | undefined;
  #breaks = 0;
  #isClosed = false;

  private constructor(run: WrittenRun, { worker, number }: { worker: number; number: number }) {
    this.#run = run;
    this.blobs = run.blobs;
    this.truth = run.truth;
    this.#worker = worker;
    this.#appender = new Appender(run.database, { worker, run: number });
  }

  /** Adds to the recipe and begins to be at work, all of it or nothing. */
  static async start(run: WrittenRun, added: Added): Promise<PostgresWriter> {
    await run.database.prepare();
    // Begun twice it is at work once: the other has no lock.
    return run.database.patiently(() => PostgresWriter.#begin(run, added));
  }

  static async #begin(run: WrittenRun, added: Added): Promise<PostgresWriter> {
    const lock = await lockSession(run.database);
    try {
      await lock.query("begin");
      const written = await extendRecipe(run, lock, added);
      const { number } = written;
      // Killed workers are no longer at work; what they had claimed may be claimed by others.
      await lock.query(
        `update touchstone.workers set ended = now()
         where run = $1 and ended is null and id not in ${livingIds}`,
        [number],
      );
      const { rows } = await lock.query<{ id: number }>(
        "insert into touchstone.workers (run, who, command) values ($1, $2, $3) returning id",
        [
          number,
          `process ${process.pid} of ${hostname()}`,
          added.run?.command ?? (added.copyOf === undefined ? null : copying),
        ],
      );
      const worker = rows[0]?.id ?? 0;
      await lock.query("select pg_advisory_lock($1, $2)", [workerLocks, worker]);
      await lock.query("commit");
      run.wrote(written);
      const writer = new PostgresWriter(run, { worker, number });
      writer.#hold(lock);
      return writer;
    } catch (error) {
      await lock.end().catch(() => {});
      throw error;
    }
  }

  async openStep(id: string): Promise<PostgresStep> {
    const row = (await this.#run.stepRows()).find(({ name }) => name === id);
    if (row === undefined || !this.#run.recipe.steps.some((step) => stepId(step) === id)) {
      throw new RangeError(`Expected a step of the recipe but received ${id}`);
    }
    return PostgresStep.open({
      database: this.#run.database,
      appender: this.#appender,
      step: row.id,
      name: id,
      worker: this.#worker,
      breaks: () => this.#breaks,
      trace: (entry) => this.trace(entry),
    });
  }

  trace(entry: JsonObject): Promise<void> {
    return this.#appender.trace(JSON.stringify(entry));
  }

  async close(): Promise<void> {
    const { database } = this.#run;
    try {
      await this.#appender.settled();
      await database.rows("delete from touchstone.claims where worker = $1", [this.#worker]);
      await database.rows("update touchstone.workers set ended = now() where id = $1", [
        this.#worker,
      ]);
    } finally {
      this.#isClosed = true;
      await this.#lock?.end().catch(() => {});
    }
  }

  #hold(lock: Client): void {
    this.#lock = lock;
    lock.once("end", () => {
      this.#breaks++;
      if (!this.#isClosed) void this.#takeLockAgain();
    });
  }

  /** Until it is had: whoever waits for the database meanwhile says when that is in vain. */
  async #takeLockAgain(): Promise<void> {
    const { database } = this.#run;
    for (let wait = firstPause; !this.#isClosed; wait = Math.min(2 * wait, longestPause)) {
      const lock = await lockSession(database).catch(() => undefined);
      try {
        const got = await lock?.query<{ got: boolean }>(
          "select pg_try_advisory_lock($1, $2) as got",
          [workerLocks, this.#worker],
        );
        if (lock !== undefined && got?.rows[0]?.got === true) {
          await lock.query("update touchstone.workers set ended = null where id = $1", [
            this.#worker,
          ]);
          if (this.#isClosed) return void lock.end().catch(() => {});
          return this.#hold(lock);
        }
      } catch {
        // Gone again: the next one may hold.
      }
      await lock?.end().catch(() => {});
      await pause(wait, undefined, { ref: false });
    }
  }
}

/** The error for images of a run that are to lie elsewhere than those that it has. */
export const imagesInDatabase = (place: string): InputError =>
  new InputError(`Expected no --blobs for ${place}: its images lie in the database`, {
    hint: "A copy of the run may keep them elsewhere: touchstone run copy FROM TO --blobs s3://…",
  });

async function extendRecipe(run: WrittenRun, client: Client, added: Added): Promise<WrittenRecipe> {
  const fresh = recipeText(run.recipe);
  await client.query(
    `insert into touchstone.runs (name, recipe, seal, blobs) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [run.name, fresh, textSeal(fresh), run.blobsAt],
  );
  const { rows } = await client.query<{ id: number; recipe: string; blobs: string | null }>(
    "select id, recipe, blobs from touchstone.runs where name = $1 for update",
    [run.name],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`Expected a row of ${run.place} but it is gone`);
  if (row.blobs === null && run.blobsAt !== undefined) throw imagesInDatabase(run.place);
  const standing = parsedRecipe(row.recipe, run.place);
  const { copyOf } = added;
  const problems =
    copyOf === undefined ? differences(standing, added) : copyProblems(standing, copyOf);
  if (problems.length > 0) throw otherRecipe(run.place, standing, problems);
  const recipe = copyOf ?? extended(standing, added);
  const text = recipeText(recipe);
  if (text !== row.recipe) {
    await client.query(
      "update touchstone.runs set recipe = $2, seal = $3, changed = now() where id = $1",
      [row.id, text, textSeal(text)],
    );
  }
  await client.query(
    `insert into touchstone.steps (run, name) select $1, unnest($2::text[]) on conflict do nothing`,
    [row.id, recipe.steps.map((step) => stepId(step))],
  );
  return { number: row.id, recipe, blobs: row.blobs ?? undefined };
}
