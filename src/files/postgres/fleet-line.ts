import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { type Database, databaseAt } from "./database.js";

/** What calls to one provider are held to, those of all processes together. */
export interface FleetLimits {
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

const lookAgain = 20;

/**
 * The line in which the calls of a whole fleet to one provider wait. A call under way holds one of as
 * many advisory locks as may be under way at once; a process that is killed loses its locks, and with
 * them its places. Calls by minute go out evenly.
 */
export class FleetLine {
  readonly #database: Database;
  readonly #name: string;
  readonly #limits: FleetLimits;
  readonly #mine = new Set<number>();
  #client: Promise<Client> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: string, { name, limits }: { name: string; limits: FleetLimits }) {
    this.#database = databaseAt(store);
    this.#name = name;
    this.#limits = limits;
  }

  /** Waits until one more call may be made; returns what ends it. @throws the signal's reason */
  async enter(tokens: number, signal?: AbortSignal): Promise<() => void> {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    await this.#paced("requests", requestsPerMinute && 60 / requestsPerMinute, signal);
    await this.#paced("tokens", tokensPerMinute && (60 * tokens) / tokensPerMinute, signal);
    for (;;) {
      signal?.throwIfAborted();
      const turn = this.#turn.then(() => this.#take());
      this.#turn = turn.catch(() => {});
      const place = await turn;
      if (place !== undefined) return () => this.#leave(place);
      await pause(lookAgain);
    }
  }

  /** Waits for one's moment where each takes so many seconds of the provider's minute. */
  async #paced(what: string, seconds: number | undefined, signal?: AbortSignal): Promise<void> {
    if (seconds === undefined || seconds === 0) return;
    const [row] = await this.#database.rows<{ wait: number }>(
      `insert into touchstone.paces as p (name, next) values ($1, clock_timestamp() + $2 * interval '1 second')
       on conflict (name) do update
         set next = greatest(p.next, clock_timestamp()) + $2 * interval '1 second'
       returning extract(epoch from p.next - clock_timestamp())::float8 - $2 as wait`,
      [`${what} ${this.#name}`, seconds],
    );
    const wait = (row?.wait ?? 0) * 1000;
    if (wait > 0) await pause(wait, undefined, signal === undefined ? {} : { signal });
  }

  async #take(): Promise<number | undefined> {
    const { concurrency } = this.#limits;
    const client = await this.#connected();
    // A session may hold a lock several times over, so it passes over those it has: by CASE, since of
    // two conditions the planner chooses which it tries first.
    const { rows } = await client
      .query<{ place: number }>(
        `select place from generate_series(0, $2 - 1) as place
         where case when place = any ($3::int[]) then false
           else pg_try_advisory_lock(hashtext($1), place) end limit 1`,
        [`line ${this.#name}`, concurrency, [...this.#mine]],
      )
      .catch(() => ({ rows: [] }));
    const place = rows[0]?.place;
    if (place !== undefined) this.#mine.add(place);
    return place;
  }

  #leave(place: number): void {
    this.#turn = this.#turn.then(async () => {
      const client = await this.#connected();
      const values = [`line ${this.#name}`, place];
      await client.query("select pg_advisory_unlock(hashtext($1), $2)", values).catch(() => {
        // The lock ended with its connection.
      });
      this.#mine.delete(place);
    });
    this.#turn = this.#turn.catch(() => {});
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#database.patiently(async () => {
      const client = await this.#database.connection();
      client.on("error", () => {});
      client.once("end", () => {
        this.#client = undefined;
      });
      return client;
    });
    return this.#client;
  }
}
