import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { once } from "../../core/cache.js";
import { InputError, isMissingPackage, TouchstoneError } from "../../core/errors.js";
import { systemCode } from "../file-error.js";
import { withoutPassword } from "./address.js";

type Driver = typeof import("pg");
/** One row of an answer; who asks says what it asked for. */
export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | Uint8Array | readonly unknown[];

/** How long work that is under way waits for a database that restarts or can't be reached. */
const twoMinutes = 120_000;
/** Milliseconds that somebody waits. */
interface Patience {
  readonly longestWait?: number;
}
const longestPause = 2_000;
const connectWithin = 10_000;
/** A server that vanished is noticed as soon, where the system's own two hours are too long. */
const keepAliveAfter = 10_000;
/**
 * A machine that vanished is noticed: within half a minute by itself, within a minute where something
 * between keeps its connections. None idles for longer.
 */
const sessionSettings = [
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
  "idle_session_timeout=60000",
  "idle_in_transaction_session_timeout=60000",
  "client_min_messages=warning",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

const databases = new Map<string, Database>();

/** The database at an address: one pool of connections for all of a process. */
export function databaseAt(connection: string): Database {
  const known = databases.get(connection) ?? new Database(connection);
  databases.set(connection, known);
  return known;
}

/**
 * A PostgreSQL database. What is asked of it is asked again while it can't be reached, once it was:
 * all that is asked here may be asked twice. Connections that idle are closed after a second.
 */
export class Database {
  /** The address without its password. */
  readonly shown: string;
  readonly #connection: string;
  #pool: Promise<Pool> | undefined;
  #wasReached = false;

  constructor(connection: string) {
    this.#connection = connection;
    this.shown = withoutPassword(connection);
  }

  /** Asks one statement. @throws InputError, TouchstoneError (codes "disk" and "store") */
  async rows<Answer extends object = Row>(
    text: string,
    values: Value[] = [],
    patience: Patience = {},
  ): Promise<Answer[]> {
    return this.patiently(async () => {
      const pool = await this.#connected();
      const { rows } = await pool.query<Answer>(text, values);
      return rows;
    }, patience);
  }

  /** Asks statements one after another on a connection of their own, each by itself, and once. */
  async alone(statements: readonly string[]): Promise<void> {
    const client = await this.connection();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Does several things, all of them or none. */
  async transaction<Result>(
    work: (client: PoolClient) => Promise<Result>,
    patience: Patience = {},
  ): Promise<Result> {
    return this.patiently(async () => {
      const client = await (await this.#connected()).connect();
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on("error", onError);
      try {
        await client.query("begin");
        const result = await work(client);
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => {
          broken ??= new Error("The connection is gone");
        });
        throw error;
      } finally {
        client.removeListener("error", onError);
        client.release(broken);
      }
    }, patience);
  }

  /** A connection of one's own, to hold a lock by. */
  async connection(): Promise<import("pg").Client> {
    const { Client } = await driver();
    const client = new Client(this.#options());
    try {
      await client.connect();
    } catch (error) {
      throw this.#told(error);
    }
    return client;
  }

  /** Does something, and again while the database can't be reached, for two minutes or as long as is said. */
  async patiently<Result>(
    work: () => Promise<Result>,
    { longestWait = twoMinutes }: Patience = {},
  ): Promise<Result> {
    for (let waited = 0, wait = 50; ; waited += wait, wait = Math.min(2 * wait, longestPause)) {
      try {
        const result = await work();
        this.#wasReached = true;
        return result;
      } catch (error) {
        if (!isAway(error) || !this.#wasReached || waited > longestWait) throw this.#told(error);
        await pause(wait);
      }
    }
  }

  #connected(): Promise<Pool> {
    this.#pool ??= driver().then(({ Pool }) => {
      const pool = new Pool({
        ...this.#options(),
        max: 6,
        idleTimeoutMillis: 1_000,
        allowExitOnIdle: true,
      });
      // One that breaks while it idles is replaced when it is needed.
      pool.on("error", () => {});
      return pool;
    });
    return this.#pool;
  }

  #options() {
    return {
      connectionString: this.#connection,
      application_name: "touchstone",
      connectionTimeoutMillis: connectWithin,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfter,
      options: sessionSettings,
      types: { getTypeParser: parserOf },
    };
  }

  /** Turns an error of the database into one for a person. No message of the driver has a password. */
  #told(error: unknown): unknown {
    const code = systemCode(error);
    const store = `the store ${this.shown}`;
    if (error instanceof TouchstoneError || !(error instanceof Error)) return error;
    if (code === "53100") {
      return new TouchstoneError("disk", `Could not write to ${store}: its disk is full`, {
        hint: "Free some space there, then run the same command again; nothing is half-written.",
        cause: error,
      });
    }
    if (/unsupported startup parameter/.test(error.message)) {
      return new InputError(`Could not use ${store}: ${error.message}`, {
        hint: "PgBouncer takes it with ignore_startup_parameters = options and pool_mode = session.",
        cause: error,
      });
    }
    if (isAway(error)) {
      return new TouchstoneError("store", `Could not reach ${store}: ${reasonOf(error)}`, {
        hint: "Is PostgreSQL running there? Finished work is kept.",
        cause: error,
      });
    }
    const isLacking = /password must be a string/.test(error.message);
    const isUntrusted = /CERT|SIGNATURE|TLS/.test(code ?? "") || /SSL/.test(error.message);
    const refused = isUntrusted ? tlsHint : refusals[isLacking ? "28P01" : (code ?? "")];
    if (refused === undefined) return error;
    const reason = isLacking ? "it asks for a password, and none was given" : error.message;
    return new InputError(`Could not use ${store}: ${reason}`, {
      hint: refused,
      cause: error,
    });
  }
}

const tlsHint =
  "The address says how TLS is used: ?sslmode=verify-full&sslrootcert=ca.pem, or sslmode=disable";

const refusals: Readonly<Record<string, string>> = {
  "28P01": "The password comes from PGPASSWORD, ~/.pgpass or the address.",
  "28000": "See pg_hba.conf of the server for who may connect, and how.",
  "3D000": "Make the database first: createdb NAME",
  "42501":
    "deploy/study-role.sql has the rights of a server; study create and study copy make the tables.",
  ENOTFOUND: "No server has this name here; is the address right?",
  "25006": "The database takes no writing: is it a replica?",
};

const awayCodes = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOENT EHOSTUNREACH EAI_AGAIN".split(" "),
);

/** The server is not there, ends, or begins: it may be there in a moment. */
function isAway(error: unknown): boolean {
  const code = systemCode(error) ?? "";
  return (
    /^(08...|57P0.|25P03|53300|40001|40P01)$/.test(code) ||
    awayCodes.has(code) ||
    (error instanceof AggregateError && error.errors.every(isAway)) ||
    (error instanceof Error &&
      /Connection terminated|timeout (expired|exceeded)|connection is gone|not queryable/i.test(
        error.message,
      ))
  );
}

const reasonOf = (error: Error): string =>
  error instanceof AggregateError
    ? error.errors.map((one) => String(one?.message ?? one)).join(", ")
    : error.message;

/** Whole numbers come as numbers: a study has fewer entries than 2^53. */
const int8 = 20;

function parserOf(oid: number, format?: "text" | "binary") {
  if (oid === int8) return Number;
  const text: (value: string) => unknown = parsers?.getTypeParser(oid, format) ?? String;
  return text;
}

let parsers: Driver["types"] | undefined;

const driver = once(async () => {
  const module = await import("pg").catch((cause: unknown) => {
    throw isMissingPackage(cause, "pg") ? notInstalled(cause) : cause;
  });
  parsers = module.default.types;
  return module.default;
});

/** The error for an optional peer that is not there. */
const notInstalled = (cause: unknown): InputError =>
  new InputError("Studies in PostgreSQL need the package pg", {
    hint: "It is not installed with touchstone, since a folder needs no database: npm install pg",
    cause,
  });
