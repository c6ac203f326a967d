import type { JsonObject } from "../core/json.js";

/** So many tasks one note stands for at most. */
const most = 1000;

/** Notes tasks that asked no model and took less than the clock tells: one note in the trace stands for many. */
export class InstantTasks {
  readonly #write: (entry: JsonObject) => Promise<void>;
  #count = 0;
  #first = 0;
  #last = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(write: (entry: JsonObject) => Promise<void>) {
    this.#write = write;
  }

  /** @param started milliseconds */
  add(started: number): void {
    if (this.#count === 0) this.#first = started;
    this.#last = Math.max(this.#last, started);
    if (++this.#count === most) this.#note();
  }

  /** Resolves when all are noted. */
  async end(): Promise<void> {
    if (this.#count > 0) this.#note();
    await this.#written;
  }

  #note(): void {
    const written = this.#write({
      kind: "asked",
      status: "done",
      count: this.#count,
      startedAt: new Date(this.#first).toISOString(),
      seconds: (this.#last - this.#first) / 1000,
    });
    const before = this.#written;
    this.#written = before.then(() => written);
    // Whoever awaits `end` hears of the failure; until then it must not end the process.
    this.#written.catch(() => {});
    written.catch(() => {});
    this.#count = 0;
  }
}
