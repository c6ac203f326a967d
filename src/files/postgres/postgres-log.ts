import type { PoolClient } from "pg";
import { append as appendAll } from "../../core/arrays.js";
import { InputError, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { sha256 } from "../blobs/blob-address.js";
import type { LogChange, LogEntries, LogEntry, SharedLog } from "../shared-log.js";
import { postgresPlace } from "./address.js";
import { type Database, databaseAt } from "./database.js";

/** Whoever waits for an answer is told that there is none before they give up. */
const longestWait = 2_000;
const rowsAtOnce = 10_000;

interface EntryRow {
  readonly seq: number;
  readonly owner: string | null;
  readonly text: string;
  readonly aside: string | null;
}

/** A shared log in a database: whoever has the turn holds the lock on its row. */
export class PostgresLog implements SharedLog {
  readonly place: string;
  readonly blobs = {
    write: (bytes: Uint8Array, mediaType: string) => this.#writeBlob(bytes, mediaType),
    read: (hash: Hash) => this.#readBlob(hash),
  };
  readonly #database: Database;
  readonly #name: string;
  #number: number | undefined;

  /** @param place such as postgres://user@host/database/studies/first */
  constructor(place: string) {
    const { connection, name, shown } = postgresPlace(place);
    if (name === "") {
      throw new InputError(`Expected the name of a study in ${shown}`, {
        hint: "Such as postgres://user@host/database/first, or --store URL beside the name.",
      });
    }
    this.#database = databaseAt(connection);
    this.#name = name;
    this.place = shown;
  }

  async exists(): Promise<boolean> {
    return (await this.#found()) !== undefined;
  }

  async text(name: string): Promise<string | undefined> {
    const log = await this.#found();
    if (log === undefined) return undefined;
    const [row] = await this.#database.rows<{ text: string }>(
      "select text from touchstone.log_texts where log = $1 and name = $2",
      [log, name],
    );
    return row?.text;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#database.rows(
      `insert into touchstone.log_texts (log, name, text) values ($1, $2, $3)
       on conflict (log, name) do update set text = excluded.text`,
      [await this.#made(), name, text],
    );
  }

  async after(since: number): Promise<LogEntries> {
    const log = await this.#known();
    const entries: LogEntry[] = [];
    let upTo = since;
    for (;;) {
      const rows = await this.#database.rows<EntryRow>(selected, [log, upTo, rowsAtOnce], {
        longestWait,
      });
      for (const row of rows) entries.push(entryOf(row));
      upTo = rows.at(-1)?.seq ?? upTo;
      if (rows.length < rowsAtOnce) return { entries, upTo };
    }
  }

  async turn(since: number, decide: (others: readonly LogEntry[]) => LogChange): Promise<number> {
    const log = await this.#known();
    let isDecided = false;
    const work = async (client: PoolClient): Promise<number> => {
      // What was decided once may be stored although nobody heard of it.
      if (isDecided) throw new TouchstoneError("store", `Lost the connection to ${this.place}`);
      const { rows } = await client.query<{ last: number }>(
        `select last from touchstone.logs where id = ${log} for update`,
      );
      const [found] = rows;
      if (found === undefined) throw this.#gone();
      const others: LogEntry[] = [];
      if (found.last > since) {
        const { rows } = await client.query<EntryRow>(selected, [log, since, null]);
        appendAll(others, rows.map(entryOf));
      }
      isDecided = true;
      const { replace, append, remove } = decide(others);
      if (replace.length > 0) await client.query(removed, [log, replace]);
      if (append.length > 0) await client.query(appended, [log, found.last, ...columns(append)]);
      if (remove.length > 0) await client.query(removed, [log, remove]);
      return found.last + append.length;
    };
    return this.#database.transaction(work, { longestWait });
  }

  reclaim(): Promise<readonly string[]> {
    return reclaimTables(this.#database, logTables);
  }

  async #writeBlob(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    const hash = sha256(bytes);
    await this.#database.rows(
      `insert into touchstone.log_blobs (log, hash, media_type, bytes) values ($1, $2, $3, $4)
       on conflict (log, hash) do update set bytes = excluded.bytes
         where log_blobs.bytes is distinct from excluded.bytes`,
      [await this.#made(), hash, mediaType, bytes],
    );
    return hash;
  }

  async #readBlob(hash: Hash): Promise<Uint8Array> {
    const [row] = await this.#database.rows<{ bytes: Uint8Array }>(
      "select bytes from touchstone.log_blobs where log = $1 and hash = $2",
      [await this.#known(), hash],
      { longestWait },
    );
    if (row !== undefined && sha256(row.bytes) === hash) return row.bytes;
    const what = row === undefined ? "it is not there" : "it was changed";
    throw new InputError(`Expected the image ${hash} in ${this.place} but ${what}`, {
      hint: "Copy the study anew, or create it again.",
    });
  }

  async #found(): Promise<number | undefined> {
    if (this.#number !== undefined) return this.#number;
    const [tables] = await this.#database.rows<{ there: boolean }>(
      "select to_regclass('touchstone.log_asides') is not null as there",
    );
    if (tables?.there !== true) return undefined;
    const [row] = await this.#database.rows<{ id: number }>(
      "select id from touchstone.logs where name = $1",
      [this.#name],
    );
    this.#number = row?.id;
    return this.#number;
  }

  async #known(): Promise<number> {
    const log = await this.#found();
    if (log === undefined) throw this.#gone();
    return log;
  }

  /** The log's number; it is made where there is none. */
  async #made(): Promise<number> {
    const found = await this.#found();
    if (found !== undefined) return found;
    await this.#database.transaction(async (client) => {
      // Of several that begin at once one makes the tables.
      await client.query("select pg_advisory_xact_lock(hashtext($1))", [schemaName]);
      const { rows } = await client.query<{ there: boolean }>(
        "select to_regclass('touchstone.log_asides') is not null as there",
      );
      if (rows[0]?.there !== true) await client.query(logSchemaText);
      await client.query(
        "insert into touchstone.logs (name) values ($1) on conflict (name) do nothing",
        [this.#name],
      );
    });
    return this.#known();
  }

  #gone(): InputError {
    return new InputError(`Expected a study in ${this.place} but there is none`, {
      hint: "Was it removed, or created anew under this name? study create --store makes one.",
    });
  }
}

const selected = `
  select e.seq, e.owner, e.text, a.text as aside
  from touchstone.log_entries e left join touchstone.log_asides a using (log, seq)
  where e.log = $1 and e.seq > $2 order by e.seq limit $3`;

const appended = `
  with given as (
    select $2::bigint + n as seq, owner, text, aside
    from unnest($3::text[], $4::text[], $5::text[]) with ordinality as given (owner, text, aside, n)
  ), entries as (
    insert into touchstone.log_entries (log, seq, owner, text)
    select $1::int, seq, owner, text from given
  ), asides as (
    insert into touchstone.log_asides (log, seq, text)
    select $1::int, seq, aside from given where aside is not null
  )
  update touchstone.logs set last = $2::bigint + cardinality($4::text[]) where id = $1::int`;

const removed = "delete from touchstone.log_entries where log = $1 and owner = any($2::text[])";

const columns = (entries: readonly LogEntry[]) => [
  entries.map(({ owner }) => owner),
  entries.map(({ text }) => text),
  entries.map(({ aside }) => aside ?? null),
];

const entryOf = ({ owner, text, aside }: EntryRow): LogEntry =>
  aside === null ? { owner, text } : { owner, text, aside };

/** Everything that touchstone keeps lies in this schema of the database. */
const schemaName = "touchstone";

/**
 * The tables of shared logs, such as studies. `logs.last` hands out `seq`: its row is locked by whoever has the turn, so that
 * whoever has read up to a `seq` has read all below it.
 */
const logSchemaText = `
create schema if not exists touchstone;
create table if not exists touchstone.logs (
  id int generated always as identity primary key,
  name text not null unique,
  last bigint not null default 0
);
create table if not exists touchstone.log_texts (
  log int not null references touchstone.logs on delete cascade,
  name text not null,
  text text not null,
  primary key (log, name)
);
create table if not exists touchstone.log_blobs (
  log int not null references touchstone.logs on delete cascade,
  hash text not null,
  media_type text not null,
  bytes bytea not null,
  primary key (log, hash)
);
create table if not exists touchstone.log_entries (
  log int not null references touchstone.logs on delete cascade,
  seq bigint not null,
  owner text,
  text text not null,
  primary key (log, seq)
);
create index if not exists log_owners on touchstone.log_entries (log, owner);
create table if not exists touchstone.log_asides (
  log int not null,
  seq bigint not null,
  text text not null,
  primary key (log, seq),
  foreign key (log, seq) references touchstone.log_entries on delete cascade
);
`;

/** Where entries lie that may be removed. */
const logTables = ["touchstone.log_entries", "touchstone.log_asides"] as const;

/** So long others at work are waited for. */
const longestTurn = "30s";

/**
 * Writes tables anew without deleted rows (VACUUM FULL; a plain VACUUM leaves their bytes in its pages). Nobody else reads or writes them meanwhile.
 *
 * @returns what is left, a sentence each: what the role may not do, and copies that no statement reaches.
 */
async function reclaimTables(
  database: Database,
  tables: readonly string[],
): Promise<readonly string[]> {
  const command = `VACUUM (FULL) ${tables.join(", ")}`;
  const elsewhere =
    `Its backups, snapshots and write-ahead log (${database.shown}) may hold deleted rows until they ` +
    "are removed or expire.";
  const [owned] = await database.rows<{ may: boolean; who: string }>(
    `select current_user as who, bool_and(pg_has_role(relowner, 'usage')) as may
     from pg_class where oid = any($1::regclass[])`,
    [[...tables]],
  );
  const byHand = (why: string) =>
    `Deleted rows are still in the pages of its tables: ${why}. Their owner frees them by: ${command}`;
  if (owned?.may !== true) return [byHand(`${owned?.who} does not own them`), elsewhere];
  try {
    await database.alone([`set lock_timeout = '${longestTurn}'`, command]);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return [byHand(`others were at work on them for ${longestTurn}`), elsewhere];
  }
  return [elsewhere];
}

/** A lock that was not had in time. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "55P03";
