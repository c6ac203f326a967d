import type { Clock } from "./clock.js";
import { endOfWait } from "./waits.js";

export interface Limits {
  /** Calls under way at the same time, at most; 16 where not given. */
  readonly concurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  /** Tokens in and out; calls are counted by an estimate before, by what they used after. */
  readonly tokensPerMinute?: number | undefined;
}

/** Calls at once where nobody says. */
const usualConcurrency = 16;

/** From here on, in milliseconds, people are told that calls wait, once a minute at most. */
const toldWait = 5000;
const toldEvery = 60_000;

interface Waiting {
  readonly tokens: number;
  readonly go: () => void;
}

/**
 * The line in which calls to one provider wait: as many at once as allowed, no more a minute than
 * allowed, none while the provider asks for a pause. A provider that says "too many" has its
 * concurrency halved, and every success raises it again by a part of one call, up to its limit.
 */
export class CallLimits {
  readonly #clock: Clock;
  readonly #tell: (text: string) => void;
  #limits: Limits;
  #toldUntil = Number.NEGATIVE_INFINITY;
  #requests: Allowance | undefined;
  #tokens: Allowance | undefined;
  readonly #line: Waiting[] = [];
  #allowed: number;
  #isNew = true;
  #running = 0;
  #pausedUntil = 0;
  #lastSlowed = Number.NEGATIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  /** @param tell takes what people should know: that calls wait for the limits by minute */
  constructor(limits: Limits, clock: Clock, tell: (text: string) => void = () => {}) {
    const { requestsPerMinute, tokensPerMinute } = limits;
    this.#clock = clock;
    this.#tell = tell;
    this.#limits = limits;
    this.#allowed = this.#most;
    this.#requests = requestsPerMinute ? new Allowance(requestsPerMinute, clock) : undefined;
    this.#tokens = tokensPerMinute ? new Allowance(tokensPerMinute, clock) : undefined;
  }

  /** Holds to other limits, too: of two for one thing the stricter counts. */
  tighten(limits: Limits): void {
    const before = this.#limits;
    const clock = this.#clock;
    const requestsPerMinute = stricter(before.requestsPerMinute, limits.requestsPerMinute);
    const tokensPerMinute = stricter(before.tokensPerMinute, limits.tokensPerMinute);
    this.#limits = {
      concurrency: stricter(before.concurrency, limits.concurrency),
      requestsPerMinute,
      tokensPerMinute,
    };
    if (requestsPerMinute && requestsPerMinute !== before.requestsPerMinute) {
      this.#requests = new Allowance(requestsPerMinute, clock);
    }
    if (tokensPerMinute && tokensPerMinute !== before.tokensPerMinute) {
      this.#tokens = new Allowance(tokensPerMinute, clock);
    }
    // Before the first call nothing was learned of what the server takes.
    this.#allowed = this.#isNew ? this.#most : Math.min(this.#allowed, this.#most);
  }

  get #most(): number {
    return this.#limits.concurrency ?? usualConcurrency;
  }

  /** How many calls may be under way at once now. */
  get concurrency(): number {
    return Math.floor(this.#allowed);
  }

  /** Waits for its turn. Every turn ends with `leave`. */
  enter(tokens: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        reject(signal?.reason);
        // It may have been its size that held up those behind it.
        this.#admit();
      };
      const go = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const waiting = { tokens, go };
      signal?.addEventListener("abort", stop, { once: true });
      this.#line.push(waiting);
      this.#admit();
    });
  }

  leave(): void {
    this.#running--;
    this.#admit();
  }

  /** Corrects the estimate with which a call entered, by a minute's worth at most: a reply may lie. */
  used(tokens: number, estimated: number): void {
    const { tokensPerMinute = 0 } = this.#limits;
    this.#tokens?.take(Math.min(tokens - estimated, tokensPerMinute));
  }

  /** After a success. */
  speedUp(): void {
    this.#allowed = Math.min(this.#most, this.#allowed + 1 / this.#allowed);
    this.#admit();
  }

  /**
   * After "too many requests": nothing goes for so many milliseconds, then half as much at once.
   *
   * @param started when that call began: calls that set out together are slowed down once
   */
  slowDown(wait: number, started: number): void {
    const now = this.#clock.now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait);
    if (started <= this.#lastSlowed) return;
    this.#lastSlowed = now;
    this.#allowed = Math.max(1, this.#allowed / 2);
  }

  #admit(): void {
    for (let next = this.#line[0]; next !== undefined; next = this.#line[0]) {
      if (this.#running >= this.concurrency) return;
      const pause = this.#pausedUntil - this.#clock.now();
      const forRequests = this.#requests?.waitFor(1) ?? 0;
      const forTokens = this.#tokens?.waitFor(next.tokens) ?? 0;
      const wait = Math.max(pause, forRequests, forTokens);
      if (wait > 0) {
        // Who asked for a pause was told of then.
        if (wait > pause) this.#tellOfWait(wait, forTokens > forRequests);
        this.#admitAfter(wait);
        return;
      }
      this.#requests?.take(1);
      this.#tokens?.take(next.tokens);
      this.#running++;
      this.#isNew = false;
      this.#line.shift();
      next.go();
    }
  }

  #tellOfWait(wait: number, isForTokens: boolean): void {
    const now = this.#clock.now();
    if (wait < toldWait || now < this.#toldUntil) return;
    this.#toldUntil = now + Math.max(wait, toldEvery);
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    const limit = isForTokens ? `${tokensPerMinute} tokens` : `${requestsPerMinute} requests`;
    this.#tell(
      `held to ${limit} a minute by the settings; the next call goes ${endOfWait(now, wait)}.`,
    );
  }

  #admitAfter(wait: number): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#clock.timer(Math.ceil(wait), () => {
      this.#stopTimer = undefined;
      this.#admit();
    });
  }
}

const stricter = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/**
 * A bucket that fills steadily with `perMinute` a minute and holds ten seconds' worth, so that a
 * burst at the start does not use up the provider's minute.
 */
class Allowance {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #rate: number;
  #level: number;
  #filled: number;

  constructor(perMinute: number, clock: Clock) {
    this.#clock = clock;
    this.#capacity = Math.max(1, perMinute / 6);
    this.#rate = perMinute / 60_000;
    this.#level = this.#capacity;
    this.#filled = clock.now();
  }

  /** Milliseconds until so much is there. What is larger than the bucket needs a full one. */
  waitFor(amount: number): number {
    const now = this.#clock.now();
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#filled) * this.#rate);
    this.#filled = now;
    // A hair less is enough: the last digits of a sum of many parts are not to be waited for.
    const missing = Math.min(amount, this.#capacity) - this.#level;
    return missing <= 1e-9 ? 0 : missing / this.#rate;
  }

  take(amount: number): void {
    this.#level = Math.min(this.#capacity, this.#level - amount);
  }
}
