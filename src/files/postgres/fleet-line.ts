import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { type Database, databaseAt } from "./database.js";
import { lockSession } from "./lock-session.js";

/** Limits of calls to one provider, of all processes together. */
export interface FleetLimits {
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

const lookAgain = 20;
/** So many calls of one process use a place after each other before others of the fleet may have it. */
const usesEach = 8;

interface Waiting {
  enter(leave: () => void): void;
  fail(error: unknown): void;
}

/** A place that is had: the locks of the session that has it, and the calls that used it. */
interface Place {
  readonly number: number;
  readonly locks: ReadonlySet<number>;
  readonly uses: number;
}

/**
 * The line in which the calls of a whole fleet to one provider wait. A call under way has a place: one
 * of as many advisory locks as may be under way at once; a process that is killed loses its locks, and
 * with them its places. Calls that wait are handed places in bulk, since the database may be far away.
 * Calls by minute go out evenly.
 */
export class FleetLine {
  readonly #database: Database;
  readonly #name: string;
  readonly #limits: FleetLimits;
  readonly #waiting: Waiting[] = [];
  /** Places that this process has done with. */
  readonly #left: Place[] = [];
  /** Locks that the session holds; another set for each session. */
  #locks = new Set<number>();
  #client: Promise<Client> | undefined;
  #isServing = false;

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
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        enter(leave) {
          signal?.removeEventListener("abort", stop);
          resolve(leave);
        },
        fail(error) {
          signal?.removeEventListener("abort", stop);
          reject(error);
        },
      };
      signal?.addEventListener("abort", stop, { once: true });
      this.#waiting.push(waiting);
      void this.#serve();
    });
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

  /** Gives back places, and gives those who wait what the fleet has free, until nobody waits. */
  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      while (this.#waiting.length > 0 || this.#left.length > 0) {
        const left = this.#left.splice(0);
        if (left.length > 0) await this.#giveBack(left);
        // Who had one for long lets others look first.
        if (left.some(({ uses }) => uses >= usesEach)) await pause(lookAgain);
        const places = this.#waiting.length === 0 ? [] : await this.#take(this.#waiting.length);
        for (const place of places) this.#hand(place);
        if (this.#waiting.length > 0 && this.#left.length === 0) await pause(lookAgain);
      }
    } catch (error) {
      for (const { fail } of this.#waiting.splice(0)) fail(error);
    } finally {
      this.#isServing = false;
    }
  }

  /** Gives a place to whoever waits longest, or back where nobody does. */
  #hand(place: Place): void {
    const next = place.uses < usesEach ? this.#waiting.shift() : undefined;
    next?.enter(() => {
      // A lock that ended with its session may be another's by now.
      if (place.locks === this.#locks) this.#hand({ ...place, uses: place.uses + 1 });
    });
    if (next !== undefined) return;
    this.#left.push(place);
    void this.#serve();
  }

  async #take(count: number): Promise<Place[]> {
    const { concurrency } = this.#limits;
    const client = await this.#connected();
    const locks = this.#locks;
    // A session may hold a lock several times over, so it passes over those it has: by CASE, since of
    // two conditions the planner chooses which it tries first.
    const { rows } = await client
      .query<{ place: number }>(
        `select place from generate_series(0, $2 - 1) as place
         where case when place = any ($3::int[]) then false
           else pg_try_advisory_lock(hashtext($1), place) end limit $4`,
        [`line ${this.#name}`, concurrency, [...locks], count],
      )
      .catch(() => ({ rows: [] }));
    for (const { place } of rows) locks.add(place);
    return rows.map(({ place }) => ({ number: place, locks, uses: 0 }));
  }

  async #giveBack(places: readonly Place[]): Promise<void> {
    const client = await this.#connected();
    const mine = places.filter(({ locks }) => locks === this.#locks).map(({ number }) => number);
    await client
      .query("select pg_advisory_unlock(hashtext($1), place) from unnest($2::int[]) as place", [
        `line ${this.#name}`,
        mine,
      ])
      .catch(() => {
        // The locks ended with their session.
      });
    for (const number of mine) this.#locks.delete(number);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#database.patiently(async () => {
      const client = await lockSession(this.#database);
      client.once("end", () => {
        this.#client = undefined;
        this.#locks = new Set();
      });
      return client;
    });
    return this.#client;
  }
}
