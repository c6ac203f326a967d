import { IncompleteError } from "../../core/errors.js";
import type { Clock } from "./clock.js";
import { endOfWait } from "./wait-text.js";

/** More than the attempts of one call: no single item can make a provider look dead. */
const failuresInARow = 10;
/** Milliseconds before each try whether the provider is back. */
const usualPauses = [5_000, 10_000, 20_000, 40_000, 60_000];

/** A call that may go out; it ends in one of these ways. */
export interface Passage {
  /** The provider answered, be it with a refusal: it lives. */
  succeeded(): void;
  failed(problem: string): void;
  /** The call was given up by its caller and says nothing about the provider. */
  abandoned(): void;
}

/**
 * Keeps calls from a provider that is down. After ten failures in a row none goes out; after a pause
 * one call tries. If it fails the next pause is longer, and after five such tries (135 seconds) the
 * provider is given up: all that wait, and all that come, get an `IncompleteError`, so that what is
 * left of the plan stays to be done instead of failing item by item. Without pauses it is given up at
 * once, for who has other things to do meanwhile.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #provider: string;
  readonly #tell: (text: string) => void;
  readonly #pauses: readonly number[];
  readonly #waiting = new Set<() => void>();
  #failures = 0;
  /** How many tries have failed; `undefined` while calls go out as they come. */
  #tries: number | undefined;
  #mayTry = false;
  #down: IncompleteError | undefined;

  /**
   * @param tell takes what people should know: what is waited for, and that it is over
   * @param waits whether it is waited for
   */
  constructor(
    provider: string,
    clock: Clock,
    tell: (text: string) => void = () => {},
    { waits = true }: { readonly waits?: boolean } = {},
  ) {
    this.#pauses = waits ? usualPauses : [];
    this.#provider = provider;
    this.#clock = clock;
    this.#tell = tell;
  }

  /**
   * Waits until a call may go out.
   *
   * @throws IncompleteError where the provider was given up.
   */
  async pass(signal?: AbortSignal): Promise<Passage> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#down !== undefined) throw this.#down;
      if (this.#tries === undefined) return this.#passage(false);
      if (this.#mayTry) {
        this.#mayTry = false;
        return this.#passage(true);
      }
      await this.#change(signal);
    }
  }

  #passage(isTry: boolean): Passage {
    return {
      succeeded: () => {
        this.#failures = 0;
        if (this.#tries !== undefined) this.#tell(`${this.#provider} answers again.`);
        this.#tries = undefined;
        this.#mayTry = false;
        this.#wake();
      },
      failed: (problem) => {
        this.#failures++;
        if (isTry && this.#tries !== undefined) this.#pause(this.#tries + 1, problem);
        // A call that went out before a pause says nothing new in it.
        else if (this.#tries === undefined && this.#failures >= failuresInARow) {
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

  #pause(tries: number, problem: string): void {
    const wait = this.#pauses[tries];
    this.#tries = tries;
    if (wait === undefined) {
      this.#down = new IncompleteError(
        `${this.#provider} is down: no answer ${tries > 0 ? "for more than two minutes" : `to ${failuresInARow} calls in a row`}. Last: ${problem}`,
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
