import { IncompleteError } from "../../core/errors.js";
import type { Clock } from "./clock.js";
import { endOfWait } from "./waits.js";

/** So many items in a row without an answer: a few that the provider can't take don't make it look dead. */
const failingItems = 10;
/** Milliseconds before each try whether the provider is back. */
const pauses = [5_000, 10_000, 20_000, 40_000, 60_000];

/** A call that may go out; it ends in one of these ways. */
export interface Passage {
  /** Whether it finds out if the provider is back. What was answered before finds out best. */
  readonly isTry: boolean;
  /** The provider answered, be it with a refusal: it lives. */
  succeeded(): void;
  /** What was answered before was answered again: it lives, and what failed meanwhile fails by itself. */
  answeredAgain(): void;
  failed(problem: string): void;
  /** The call was given up by its caller and says nothing about the provider. */
  abandoned(): void;
}

/**
 * Keeps calls from a provider that is down. After failures of ten different items with no answer between
 * none goes out; after a pause one call tries. If it fails the next pause is longer, and after five such
 * tries (135 seconds) the provider is given up: all that wait, and all that come, get an `IncompleteError`,
 * so that what is left of the plan stays to be done instead of failing item by item.
 *
 * Items that failed while the provider answered others are their own fault: they open it no more.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #provider: string;
  readonly #tell: (text: string) => void;
  readonly #waiting = new Set<() => void>();
  readonly #failing = new Set<unknown>();
  readonly #unwelcome = new Set<unknown>();
  /** How many tries have failed; `undefined` while calls go out as they come. */
  #tries: number | undefined;
  #mayTry = false;
  #down: IncompleteError | undefined;

  /** @param tell takes what people should know: what is waited for, and that it is over */
  constructor(provider: string, clock: Clock, tell: (text: string) => void = () => {}) {
    this.#provider = provider;
    this.#clock = clock;
    this.#tell = tell;
  }

  /**
   * Waits until a call may go out.
   *
   * @param item tells what is asked about from other items
   * @throws IncompleteError where the provider was given up.
   */
  async pass(item: unknown, signal?: AbortSignal): Promise<Passage> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#down !== undefined) throw this.#down;
      if (this.#tries === undefined) return this.#passage(item, false);
      if (this.#mayTry) {
        this.#mayTry = false;
        return this.#passage(item, true);
      }
      await this.#change(signal);
    }
  }

  #passage(item: unknown, isTry: boolean): Passage {
    return {
      isTry,
      succeeded: () => {
        this.#unwelcome.delete(item);
        this.#close();
      },
      answeredAgain: () => {
        for (const failing of this.#failing) this.#unwelcome.add(failing);
        this.#close();
      },
      failed: (problem) => {
        if (!this.#unwelcome.has(item)) this.#failing.add(item);
        if (isTry && this.#tries !== undefined) this.#pause(this.#tries + 1, problem);
        // A call that went out before a pause says nothing new in it.
        else if (this.#tries === undefined && this.#failing.size >= failingItems) {
          this.#pause(0, problem);
        }
      },
      abandoned: () => {
        if (!isTry || this.#tries === undefined) return;
        this.#mayTry = true;
        this.#wake();
      },
    };
  }

  #close(): void {
    this.#failing.clear();
    if (this.#tries !== undefined) this.#tell(`${this.#provider} answers again.`);
    this.#tries = undefined;
    this.#mayTry = false;
    this.#wake();
  }

  #pause(tries: number, problem: string): void {
    const wait = pauses[tries];
    this.#tries = tries;
    if (wait === undefined) {
      this.#down = new IncompleteError(
        `${this.#provider} is down: no answer for more than two minutes. Last: ${problem}`,
        {
          hint: "Answers are saved and cost nothing again. Run the same command when it is back.",
        },
      );
      this.#wake();
      return;
    }
    this.#tell(
      `${this.#provider} seems to be down: ${problem}. All calls to it wait; tried again ` +
        `${endOfWait(this.#clock.now(), wait)}.`,
    );
    this.#clock.timer(wait, () => {
      if (this.#tries !== tries) return;
      this.#mayTry = true;
      this.#wake();
    });
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        signal?.removeEventListener("abort", resume);
        this.#waiting.delete(resume);
        resolve();
      };
      signal?.addEventListener("abort", resume, { once: true });
      this.#waiting.add(resume);
    });
  }
}
