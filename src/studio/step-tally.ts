import type { Key } from "../core/keys.js";
import type { RecordPosition } from "../core/record-store.js";
import type { UnscoredReason } from "../core/unscored.js";
import { type Attempted, RecordIndex } from "../files/record-index.js";
import type { IndexedName } from "./indexed-record.js";

/** How a step's records stand and where: the latest attempt of each key. */
export class StepTally {
  readonly #index = new RecordIndex();
  readonly #unscored = new Map<UnscoredReason, number>();

  /** @param always whether it counts even for more than a later attempt: its step is in order */
  take(record: IndexedName, place: RecordPosition, { always }: { readonly always: boolean }): void {
    const standing = this.#index.get(record.key);
    this.#index.take(attempted(record), place, { instead: true, always });
    const before = standing?.reason;
    const now = standing === undefined ? record.reason : this.#index.get(record.key)?.reason;
    if (before === now) return;
    if (before !== undefined) this.#count(before, -1);
    if (now !== undefined) this.#count(now, 1);
  }

  placeOf(key: Key): RecordPosition | undefined {
    return this.#index.place(key);
  }

  get done(): number {
    const without = [...this.#unscored.values()].reduce((sum, count) => sum + count, 0);
    return this.#index.recorded - without;
  }

  get unscored(): Readonly<Partial<Record<UnscoredReason, number>>> {
    return Object.fromEntries([...this.#unscored].filter(([, count]) => count > 0));
  }

  #count(reason: UnscoredReason, by: number): void {
    this.#unscored.set(reason, (this.#unscored.get(reason) ?? 0) + by);
  }
}

function attempted({ key, attempt, status, reason, retryable = false }: IndexedName): Attempted {
  return status === "unscored" && reason !== undefined
    ? { key, attempt, status, reason, retryable }
    : { key, attempt, status: "done" };
}
