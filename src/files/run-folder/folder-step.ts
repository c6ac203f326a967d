import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { EndingCount, KeyState, StepWriter, Worker } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { countEndings } from "../count-endings.js";
import { type Workplace, workerOf } from "./run-work.js";
import type { StepRecords } from "./step-records.js";

const lookAgain = 50;

/** A step of a run folder while one worker collects it: its records, and the claims on them. */
export class FolderStep implements StepWriter {
  readonly #records: StepRecords;
  readonly #workplace: Workplace;
  readonly #trace: (entry: JsonObject) => Promise<void>;

  constructor(parts: {
    readonly records: StepRecords;
    readonly workplace: Workplace;
    readonly trace: (entry: JsonObject) => Promise<void>;
  }) {
    this.#records = parts.records;
    this.#workplace = parts.workplace;
    this.#trace = parts.trace;
  }

  get planned(): number {
    return this.#records.index.planned;
  }

  get wanted(): number {
    return this.#records.index.wanted;
  }

  async plan(keys: readonly Key[]): Promise<readonly boolean[]> {
    return keys.map((key) => this.#records.index.plan(key));
  }

  async look(keys: readonly Key[]): Promise<readonly KeyState[]> {
    const { index } = this.#records;
    return keys.map((key) => ({
      isWanted: index.isWanted(key),
      attempt: index.get(key)?.attempt ?? 0,
    }));
  }

  async count(): Promise<readonly EndingCount[]> {
    return countEndings(this.#records.index);
  }

  async forget(keys: readonly Key[]): Promise<void> {
    for (const key of keys) this.#records.index.forget(key);
  }

  async append(records: readonly AnyRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.#records.append(record)));
  }

  async claim(batch: number): Promise<boolean> {
    return (await this.#workplace.claim(this.#claimOf(batch))).isMine;
  }

  async release(batch: number): Promise<void> {
    await this.#workplace.release(this.#claimOf(batch));
  }

  /** A process that holds a claim lives, so nobody else has the batch. */
  async mayAsk(_batch: number, key: Key): Promise<boolean> {
    return this.#records.index.isWanted(key);
  }

  async holders(batches: readonly number[]): Promise<ReadonlyMap<number, Worker>> {
    const held = new Map<number, Worker>();
    for (const other of await this.#workplace.others()) {
      for (const batch of batches) {
        if (other.claims.includes(this.#claimOf(batch))) held.set(batch, workerOf(other));
      }
    }
    return held;
  }

  refresh(): Promise<number> {
    return this.#records.refresh(() => this.#goneNow());
  }

  /** Exactly one of those at work puts a step in order; the others wait for it, then clear up. */
  async finish({
    signal,
    keepsRemains = true,
  }: {
    readonly signal: AbortSignal;
    readonly keepsRemains?: boolean;
  }): Promise<boolean> {
    if (this.wanted > 0) throw new RangeError(`Expected no wanted keys but ${this.wanted} are`);
    const claim = this.#claimOf("order");
    while (!(await this.#workplace.claim(claim)).isMine) {
      if (signal.aborted) return false;
      await pause(lookAgain);
    }
    // Whoever begins a segment after this is not among the others, and not gone.
    const owners = await this.#records.owners();
    const others = await this.#workplace.others();
    await this.#records.compact({
      setAside: keepsRemains ? this.#trace : async () => {},
      isGone: (owner) => owners.has(owner) && others.every(({ id }) => id !== owner),
      isAlone: others.length === 0,
    });
    await this.#workplace.release(claim);
    return true;
  }

  close(): Promise<void> {
    return this.#records.close();
  }

  /** Tells of owners of segments whether they are no longer at work. */
  async #goneNow(): Promise<(owner: string) => boolean> {
    const others = await this.#workplace.others();
    return (owner) => others.every(({ id }) => id !== owner);
  }

  #claimOf(what: number | "order"): string {
    return `${this.#records.name}.${what}`;
  }
}
