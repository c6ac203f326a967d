import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { EndingCount, KeyState, StepWriter, Worker } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { unscoredReasons } from "../../core/unscored.js";
import { countEndings } from "../count-endings.js";
import { onceTried } from "../once-tried.js";
import { type Attempted, RecordIndex } from "../record-index.js";
import type { Appender } from "./appender.js";
import type { Database } from "./database.js";
import { sealOf } from "./seal.js";
import { livingIds, type WorkerRow, workerOf } from "./work.js";

const readAtOnce = 20_000;
const lookAgain = 50;
/** The claim to put a step in order. */
const order = -1;

interface Standing {
  readonly last: number;
  readonly version: number;
}

const unscoredReason = z.enum(unscoredReasons);

interface RecordRow {
  readonly seq: number;
  readonly key: string;
  readonly attempt: number;
  readonly reason: string | null;
  readonly retryable: boolean;
}

interface Parts {
  readonly database: Database;
  readonly appender: Appender;
  readonly step: number;
  readonly name: string;
  readonly worker: number;
  /** How often the worker's lock broke: others may have taken what it had claimed before. */
  readonly breaks: () => number;
  readonly trace: (entry: JsonObject) => Promise<void>;
}

type Asked = Pick<Database, "rows">;

/**
 * A step of a run in a database while one worker collects it. Its plan and how far each key is stand
 * in memory, at most 64 bytes a key; of the records no line is read.
 */
export class PostgresStep implements StepWriter {
  readonly #parts: Parts;
  readonly #index = new RecordIndex();
  /** Up to which record it was read, and after which putting in order. */
  #read = 0;
  #version = -1;
  /** Batches that were claimed and are surely nobody else's until the lock breaks again. */
  readonly #sure = new Map<number, number>();
  #refreshing: Promise<unknown> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(parts: Parts): Promise<PostgresStep> {
    const step = new PostgresStep(parts);
    await step.refresh();
    return step;
  }

  get planned(): number {
    return this.#index.planned;
  }

  get wanted(): number {
    return this.#index.wanted;
  }

  async plan(keys: readonly Key[]): Promise<readonly boolean[]> {
    return keys.map((key) => this.#index.plan(key));
  }

  async look(keys: readonly Key[]): Promise<readonly KeyState[]> {
    return keys.map((key) => ({
      isWanted: this.#index.isWanted(key),
      attempt: this.#index.get(key)?.attempt ?? 0,
    }));
  }

  async count(): Promise<readonly EndingCount[]> {
    return countEndings(this.#index);
  }

  async forget(keys: readonly Key[]): Promise<void> {
    const { database, step } = this.#parts;
    await database.rows(
      "update touchstone.records set forgotten = true where step = $1 and key = any($2::uuid[])",
      [step, [...keys]],
    );
    for (const key of keys) this.#index.forget(key);
  }

  async append(records: readonly AnyRecord[]): Promise<void> {
    await this.#parts.appender.append(this.#parts.step, records);
    for (const record of records) this.#index.take(record, nowhere);
  }

  claim(batch: number): Promise<boolean> {
    return this.#claim(batch);
  }

  async release(batch: number): Promise<void> {
    const { database, step, worker } = this.#parts;
    this.#sure.delete(batch);
    await database.rows(
      "delete from touchstone.claims where step = $1 and batch = $2 and worker = $3",
      [step, batch, worker],
    );
  }

  async mayAsk(batch: number, key: Key): Promise<boolean> {
    if (this.#sure.get(batch) !== this.#parts.breaks()) {
      if (!(await this.#claim(batch))) return false;
      await this.refresh();
    }
    return this.#index.isWanted(key);
  }

  async holders(batches: readonly number[]): Promise<ReadonlyMap<number, Worker>> {
    const { database, step, worker } = this.#parts;
    const rows = await database.rows<WorkerRow & { batch: number }>(
      `select c.batch, w.id, w.who, w.command
       from touchstone.claims c join touchstone.workers w on w.id = c.worker
       where c.step = $1 and c.batch = any($2::int[]) and w.id <> $3 and w.id in ${livingIds}`,
      [step, [...batches], worker],
    );
    return new Map(rows.map((row) => [row.batch, workerOf(row)]));
  }

  refresh(): Promise<number> {
    const read = this.#refreshing.then(() => this.#refresh(this.#parts.database));
    this.#refreshing = read.catch(() => {});
    return read;
  }

  async finish({
    signal,
    keepsRemains = true,
  }: {
    readonly signal: AbortSignal;
    readonly keepsRemains?: boolean;
  }): Promise<boolean> {
    if (this.wanted > 0) throw new RangeError(`Expected no wanted keys but ${this.wanted} are`);
    const { database, appender } = this.#parts;
    await appender.settled();
    while (!(await this.#claim(order))) {
      if (signal.aborted) return false;
      await pause(lookAgain);
    }
    await database.transaction((client) => this.#putInOrder(client, { keepsRemains }));
    await this.release(order);
    return true;
  }

  async close(): Promise<void> {}

  async #claim(batch: number): Promise<boolean> {
    const { database, step, worker, breaks } = this.#parts;
    const broken = breaks();
    const [claim] = await database.rows<{ isNew: boolean }>(
      `insert into touchstone.claims (step, batch, worker) values ($1, $2, $3)
       on conflict (step, batch) do update set worker = excluded.worker
         where claims.worker = excluded.worker or claims.worker not in ${livingIds}
       returning xmax = 0 as "isNew"`,
      [step, batch, worker],
    );
    // One that had it before may only have been cut off, and keep what it had in hand later.
    if (claim?.isNew === true) this.#sure.set(batch, broken);
    return claim !== undefined;
  }

  async #refresh(asked: Asked, { anew = false } = {}): Promise<number> {
    const { step, worker } = this.#parts;
    const [standing] = await asked.rows<Standing>(
      "select last, version from touchstone.steps where id = $1",
      [step],
    );
    if (standing === undefined) throw new Error(`Expected step ${this.#parts.name} but it is gone`);
    const isNew = anew || standing.version !== this.#version;
    if (!isNew && standing.last <= this.#read) return 0;
    if (isNew) {
      this.#index.forgetRecords();
      this.#read = 0;
      this.#version = standing.version;
    }
    let fulfilled = 0;
    for (;;) {
      // What it appended itself it knows, unless all is read again.
      const rows = await asked.rows<RecordRow>(
        `select seq, key, attempt, reason, retryable from touchstone.records
         where step = $1 and seq > $2 and not forgotten and ($3 or worker <> $4)
         order by seq limit ${readAtOnce}`,
        [step, this.#read, isNew, worker],
      );
      for (const row of rows) {
        if (this.#index.take(attempted(row), { ...nowhere, offset: row.seq })) fulfilled++;
      }
      this.#read = rows.at(-1)?.seq ?? this.#read;
      if (rows.length < readAtOnce) break;
    }
    this.#read = Math.max(this.#read, standing.last);
    return fulfilled;
  }

  /** Puts the step in order while nobody can append to it. What is left out goes to the trace first. */
  async #putInOrder(
    client: PoolClient,
    { keepsRemains }: { readonly keepsRemains: boolean },
  ): Promise<void> {
    const { step, worker, name, trace } = this.#parts;
    const asked: Asked = {
      rows: async (text, values = []) => (await client.query(text, values)).rows,
    };
    // Of a step that is new to its statistics the planner expects one row, and would compare each with each.
    await client.query("set local enable_nestloop = off");
    await client.query("select from touchstone.steps where id = $1 for update", [step]);
    await this.#refresh(asked, { anew: true });
    const alone = await asked.rows(
      `select from touchstone.workers where id <> $2 and ended is null and id in ${livingIds}
         and run = (select run from touchstone.steps where id = $1) limit 1`,
      [step, worker],
    );
    const isAlone = alone.length === 0;
    const planned = [...this.#index.inOrder()].map(({ place }) => place.offset);
    if (planned.length < this.planned) throw new Error(`${name} lost records that it had`);
    const strays = [...this.#index.unplanned()].map(({ offset }) => offset);
    const seqs = isAlone ? planned : [...planned, ...strays];
    if (await isInOrder(asked, { step, seqs })) return;

    const goesToTrace = isAlone && keepsRemains;
    for (const line of goesToTrace ? await linesOf(asked, { step, seqs: strays }) : []) {
      await trace({ kind: "unplanned", record: JSON.parse(line) });
    }
    await asked.rows("delete from touchstone.places where step = $1", [step]);
    await asked.rows(
      `insert into touchstone.places (step, place, seq)
       select $1, n - 1, seq from unnest($2::bigint[]) with ordinality as u (seq, n)`,
      [step, seqs],
    );
    // What is left has a place: others were tried again, are double, or planned by nobody.
    await asked.rows(
      `delete from touchstone.records r where step = $1
         and not exists (select from touchstone.places p where p.step = r.step and p.seq = r.seq)`,
      [step],
    );
    await asked.rows(
      `delete from touchstone.claims where step = $1 and worker not in ${livingIds}`,
      [step],
    );
    await this.#countOnce(asked);
    const { seal, records } = await sealOf(asked, step);
    const [standing] = await asked.rows<Standing>(
      `update touchstone.steps set ordered = last, version = version + 1, changed = now(), seal = $2
       where id = $1 returning last, version`,
      [step, records === 0 ? null : seal],
    );
    if (standing !== undefined) this.#version = standing.version;
  }

  /** How often something was tried is no part of a finished record: its line says once. */
  async #countOnce(asked: Asked): Promise<void> {
    const { step, trace } = this.#parts;
    const rows = await asked.rows<{ seq: number; line: string }>(
      "select seq, line from touchstone.records where step = $1 and attempt > 1 order by seq",
      [step],
    );
    if (rows.length === 0) return;
    const lines: string[] = [];
    for (const { line } of rows) {
      const { text, tried } = onceTried(line);
      lines.push(text);
      await trace(tried);
    }
    await asked.rows(
      `update touchstone.records r set attempt = 1, line = u.line
       from unnest($2::bigint[], $3::text[]) as u (seq, line) where r.step = $1 and r.seq = u.seq`,
      [step, rows.map(({ seq }) => seq), lines],
    );
  }
}

/** Where a record is, is asked of the database when a step is put in order. */
const nowhere = { part: "", offset: 0, length: 0 };

function attempted({ key, attempt, reason, retryable }: RecordRow): Attempted {
  const one = { key: key.replaceAll("-", "") as Key, attempt };
  if (reason === null) return { ...one, status: "done" };
  return { ...one, status: "unscored", reason: unscoredReason.parse(reason), retryable };
}

/** Whether the step stands in this order already, with nothing beside it. */
async function isInOrder(
  asked: Asked,
  { step, seqs }: { readonly step: number; readonly seqs: readonly number[] },
): Promise<boolean> {
  const [found] = await asked.rows<{ seqs: number[] | null; records: number }>(
    `select (select array_agg(seq::float8 order by place) from touchstone.places where step = $1) as seqs,
       (select count(*) from touchstone.records where step = $1) as records`,
    [step],
  );
  const standing = found?.seqs ?? [];
  return (
    found?.records === seqs.length &&
    standing.length === seqs.length &&
    standing.every((seq, at) => seq === seqs[at])
  );
}

async function linesOf(
  asked: Asked,
  { step, seqs }: { readonly step: number; readonly seqs: readonly number[] },
): Promise<string[]> {
  const rows = await asked.rows<{ line: string }>(
    "select line from touchstone.records where step = $1 and seq = any($2::bigint[]) order by seq",
    [step, [...seqs]],
  );
  return rows.map(({ line }) => line);
}
