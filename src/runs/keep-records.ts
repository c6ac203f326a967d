import type { StepWriter } from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import type { RunEvent } from "../core/step.js";
import type { Spent } from "./call-costs.js";

/** A task that was asked. */
export interface Performed {
  readonly record: AnyRecord;
  readonly spent: Spent;
  readonly wasCalled: boolean;
  /** Whether it asked no model and took less than the clock tells: nobody was paid. */
  readonly isInstant: boolean;
  /** Resolves when its trace is written; undefined where it has none. */
  readonly traced: Promise<unknown> | undefined;
}

/** So many records that cost nothing may wait for the disk. */
const mostUnwritten = 512;

/** So many instant ones are written together: a write takes as long as ten of them. */
const writtenTogether = 256;

/** Keeps a step's records, those together that come while others are written, and tells of each once it is kept. */
export class RecordsToKeep {
  readonly #step: string;
  readonly #stored: Pick<StepWriter, "append">;
  readonly #onEvent: (event: RunEvent) => void;
  #waiting: Performed[] = [];
  #unwritten = 0;
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    step: string,
    {
      stored,
      onEvent,
    }: {
      readonly stored: Pick<StepWriter, "append">;
      readonly onEvent: (event: RunEvent) => void;
    },
  ) {
    this.#step = step;
    this.#stored = stored;
    this.#onEvent = onEvent;
  }

  /**
   * Takes a record. Returns what to wait for: an answer that may have cost something is on the disk before more is
   * asked; another does not wait for it, unless many do. Instant ones, which are as soon asked again, gather first.
   */
  add(made: Performed, { mayCost }: { readonly mayCost: boolean }): Promise<void> | undefined {
    // Whoever keeps it hears of the failure; until then it must not end the process.
    made.traced?.catch(() => {});
    this.#waiting.push(made);
    this.#unwritten++;
    if (!made.isInstant || this.#waiting.length >= writtenTogether) this.#keepWaiting();
    return mayCost || this.#unwritten >= mostUnwritten ? this.#next : undefined;
  }

  /** Resolves when all are kept. @throws what one of them failed with. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0) this.#keepWaiting();
    await this.#next;
    await this.#last;
  }

  #keepWaiting(): void {
    this.#next ??= this.#keepNext();
    // Whoever awaits `end` hears of the failure; until then it must not end the process.
    this.#next.catch(() => {});
  }

  async #keepNext(): Promise<void> {
    await this.#last;
    const together = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    this.#last = this.#keep(together);
    await this.#last;
  }

  async #keep(together: readonly Performed[]): Promise<void> {
    for (const { traced } of together) if (traced !== undefined) await traced;
    await this.#stored.append(together.map(({ record }) => record));
    this.#unwritten -= together.length;
    for (const { record, spent } of together) {
      const { cost, cached, forecast } = spent;
      this.#onEvent({
        kind: "record",
        step: this.#step,
        record,
        ...(cost > 0 ? { cost } : {}),
        ...(forecast > 0 ? { byForecast: forecast } : {}),
        ...(cached ? { cached } : {}),
      });
    }
  }
}
