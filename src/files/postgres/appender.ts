import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AnyRecord } from "../../core/records.js";
import { type Database, notInstalled } from "./database.js";

/** From so many records on they are copied in, not inserted. */
const copiedFrom = 500;
const mostAtOnce = 20_000;
/** Characters of records that are copied in at once. */
const pieceLength = 1 << 16;

/**
 * Appends records and traces of one worker, in the order of the calls; those that wait while some
 * are written go out together. The database counts what a worker has appended, so what is sent
 * again, because nobody heard whether it arrived, stands once.
 */
export class Appender {
  readonly #database: Database;
  readonly #worker: number;
  readonly #run: number;
  #records: { step: number; record: AnyRecord }[] = [];
  #traces: string[] = [];
  #appended = 0;
  #traced = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(database: Database, { worker, run }: { worker: number; run: number }) {
    this.#database = database;
    this.#worker = worker;
    this.#run = run;
  }

  /** Resolves when all are kept. */
  async append(step: number, records: readonly AnyRecord[]): Promise<void> {
    for (const record of records) this.#records.push({ step, record });
    await this.settled();
  }

  async trace(entry: string): Promise<void> {
    this.#traces.push(entry);
    await this.settled();
  }

  /** Resolves when all that waits is kept. @throws whatever failed, ever after */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#records.length === 0 && this.#traces.length === 0) return;
    this.#writing = this.#write();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #write(): Promise<void> {
    try {
      const [first] = this.#records;
      if (first !== undefined) {
        const same = this.#records.findIndex(({ step }) => step !== first.step);
        const count = Math.min(same < 0 ? this.#records.length : same, mostAtOnce);
        const some = this.#records.splice(0, count).map(({ record }) => record);
        await this.#keepRecords(first.step, some);
      }
      const entries = this.#traces.splice(0, mostAtOnce);
      if (entries.length > 0) await this.#keepTraces(entries);
    } catch (error) {
      this.#failure = error;
    }
    this.#writing = undefined;
  }

  async #keepRecords(step: number, records: readonly AnyRecord[]): Promise<void> {
    this.#appended += records.length;
    const counted = [step, this.#worker, this.#appended, records.length];
    if (records.length >= copiedFrom) return this.#copyIn(counted, records);
    const columns = records.map((record) => columnsOf(record));
    await this.#database.rows(
      `with ${counting} insert into touchstone.records
         (step, seq, worker, key, attempt, reason, retryable, line)
       select $1, at.last - $4 + u.n, $2, u.key, u.attempt, u.reason, u.retryable, u.line
       from at, unnest($5::uuid[], $6::int[], $7::text[], $8::bool[], $9::text[])
         with ordinality as u (key, attempt, reason, retryable, line, n)`,
      [...counted, ...[0, 1, 2, 3, 4].map((at) => columns.map((row) => row[at]))],
    );
  }

  async #copyIn(counted: readonly number[], records: readonly AnyRecord[]): Promise<void> {
    const { from } = await import("pg-copy-streams").catch((cause: unknown) => {
      throw notInstalled("pg-copy-streams", cause);
    });
    const [step, worker] = counted;
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ last: number }>(
        `with ${counting} select last from at`,
        [...counted],
      );
      const last = rows[0]?.last;
      // It arrived the time before.
      if (last === undefined) return;
      let seq = last - records.length;
      // Sent in few pieces: each line by itself took longer to send than to keep.
      const pieces = function* () {
        let piece = "";
        for (const record of records) {
          const cells = [step, ++seq, worker, ...columnsOf(record)];
          piece += `${cells.map(copyText).join("\t")}\n`;
          if (piece.length < pieceLength) continue;
          yield piece;
          piece = "";
        }
        if (piece !== "") yield piece;
      };
      await pipeline(
        Readable.from(pieces()),
        client.query(
          from(
            "copy touchstone.records (step, seq, worker, key, attempt, reason, retryable, line) from stdin",
          ),
        ),
      );
    });
  }

  async #keepTraces(entries: readonly string[]): Promise<void> {
    this.#traced += entries.length;
    await this.#database.rows(
      `with mine as (
         update touchstone.workers set traced = $3 where id = $2 and traced < $3 returning id
       ) insert into touchstone.traces (run, worker, seq, entry)
       select $1, $2, $3 - $4 + u.n, u.entry
       from mine, unnest($5::text[]) with ordinality as u (entry, n)`,
      [this.#run, this.#worker, this.#traced, entries.length, [...entries]],
    );
  }
}

/** Counts what is appended for the worker, and gives it numbers in the step; once. */
const counting = `mine as (
    update touchstone.workers set appended = $3 where id = $2 and appended < $3 returning id
  ), at as (
    update touchstone.steps set last = last + $4, changed = now()
    where id = $1 and exists (select from mine) returning last
  )`;

const columnsOf = (record: AnyRecord) => [
  record.key,
  record.attempt,
  record.status === "unscored" ? record.reason : null,
  record.status === "unscored" && record.retryable,
  JSON.stringify(record),
];

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

/** A cell in the text format of COPY. */
const copyText = (cell: string | number | boolean | null | undefined): string =>
  cell === null || cell === undefined
    ? "\\N"
    : String(cell).replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? one);
