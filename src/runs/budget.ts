/** What one command may spend, whatever others spend on the same run. */
export interface Limits {
  /** US dollars. */
  readonly cost?: number;
  /** Tasks asked; one that a cache answers is none. */
  readonly calls?: number;
  /** Time until nothing more is asked. */
  readonly seconds?: number;
}

/**
 * Hands out leave to ask, as far as the limits go. What is not handed out is simply not asked: it
 * leaves no record, so that a resumed run finds it missing. Of a cost limit as much is held back as
 * the tasks in hand would cost if each were as dear as the dearest so far; before the first has
 * said what it cost, one is asked at a time.
 */
export class Budget {
  readonly limits: Limits;
  readonly #now: () => Date;
  readonly #began: number;
  #spent = 0;
  #calls = 0;
  #inHand = 0;
  #dearest: number | undefined;
  #isOver: string | undefined;
  #waiting: (() => void)[] = [];

  constructor(limits: Limits, now: () => Date = () => new Date()) {
    this.limits = limits;
    this.#now = now;
    this.#began = now().getTime();
  }

  /** Which limit was met, such as "100 calls"; `undefined` while none was. */
  get over(): string | undefined {
    const { seconds } = this.limits;
    if (seconds !== undefined && this.#now().getTime() - this.#began >= seconds * 1000) {
      this.#isOver ??= `${Number((seconds / 60).toPrecision(3))} min`;
    }
    return this.#isOver;
  }

  /** Resolves with whether one more task may be asked; it is then in hand until `put`. */
  async take(): Promise<boolean> {
    const { cost, calls } = this.limits;
    for (;;) {
      if (this.over !== undefined) return false;
      const isWithinCalls = calls === undefined || this.#calls + this.#inHand < calls;
      const dearest = this.#dearest ?? 0;
      const isWithinCost =
        cost === undefined ||
        (this.#dearest === undefined
          ? this.#inHand === 0 && cost > 0
          : this.#spent + dearest * (this.#inHand + 1) <= cost);
      if (isWithinCalls && isWithinCost) {
        this.#inHand++;
        return true;
      }
      if (this.#inHand === 0) {
        this.#isOver = isWithinCalls ? `$${cost}` : `${calls} call${calls === 1 ? "" : "s"}`;
        return false;
      }
      // One in hand may turn out cheaper, or have been answered by a cache.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Ends a task that was in hand. */
  put({ cost, cached }: { cost: number; cached: boolean }): void {
    this.#inHand--;
    this.#spent += cost;
    if (!cached) {
      this.#calls++;
      this.#dearest = Math.max(this.#dearest ?? 0, cost);
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
