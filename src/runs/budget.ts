import type { JsonObject } from "../core/json.js";
import type { CallOptions } from "../core/models.js";
import type { Forecast } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import type { CallMeter } from "../models/prices/call-meter.js";
import { CallCosts, type Spent } from "./call-costs.js";

/** Limits of one command's spending, whatever others spend on the same run. */
export interface Limits {
  /** US dollars. */
  readonly cost?: number;
  /** Calls made, as traces tell; a task that says of none, and that no cache answered, is one. */
  readonly calls?: number;
  /** Time until nothing more is asked. */
  readonly seconds?: number;
}

/** What a step is expected to ask. */
export type Expected = Pick<Forecast, "cost" | "dearest" | "isExact" | "mostCalls">;
/** What a call took. */
export type Put = Pick<Spent, "cost" | "cached"> & Partial<Spent>;

/** Sums of dollars are compared with this relative tolerance: 0.1 + 0.2 is 0.3. */
const rounding = 1e-9;

/**
 * Hands out leave to ask, as far as the limits go. What is not handed out is simply not asked: it
 * leaves no record, so that a resumed run finds it missing. Of a limit of calls as much is held back as the
 * tasks in hand would make if each made as many as the one with most so far. Of a cost limit as much is held back as
 * the tasks in hand would cost if each were as dear as the dearest so far; before the first has
 * said what it cost, one is asked at a time, and none whose price is more than what is left.
 * A call that does not say what it cost counts as much as the dearest; where none said, a cost limit
 * could not be kept, and nothing more is asked.
 */
export class Budget {
  readonly limits: Limits;
  readonly isPlan: boolean;
  readonly #now: () => Date;
  readonly #began: number;
  #spent = 0;
  #calls = 0;
  /** Those of the task that makes most. */
  #mostCalls = 1;
  #inHand = 0;
  #dearest: number | undefined;
  #expected: { readonly cost: number; readonly isExact: boolean } | undefined;
  #isOver: string | undefined;
  #waiting: (() => void)[] = [];

  /** @param options.isPlan whether the run and its recipe are only written, and nobody is asked */
  constructor(
    limits: Limits,
    now: () => Date = () => new Date(),
    { isPlan = false }: { readonly isPlan?: boolean } = {},
  ) {
    this.limits = limits;
    this.isPlan = isPlan;
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

  /** What was spent so far, in calls and US dollars. */
  get spent(): { readonly calls: number; readonly cost: number } {
    return { calls: this.#calls, cost: this.#spent };
  }

  /**
   * Says what a task from here on will make of calls and cost; none may be in hand. Where `isExact`, none is
   * asked that is dearer than what is left.
   */
  expect({ cost, dearest, isExact, mostCalls }: Expected): void {
    this.#mostCalls = Math.max(1, mostCalls);
    if (cost === undefined) return;
    this.#expected = { cost: dearest, isExact };
    this.#dearest = undefined;
  }

  /** Resolves with whether one more task may be asked; it is then in hand until `put`. */
  async take(): Promise<boolean> {
    const { cost, calls } = this.limits;
    for (;;) {
      if (this.over !== undefined) return false;
      const isWithinCalls =
        calls === undefined || this.#calls + this.#mostCalls * (this.#inHand + 1) <= calls;
      const isWithinCost = cost === undefined || this.#canPay(cost * (1 + rounding));
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

  #canPay(most: number): boolean {
    const expected = this.#expected;
    if (this.#dearest !== undefined)
      return this.#spent + this.#dearest * (this.#inHand + 1) <= most;
    if (this.#inHand > 0) return false;
    if (expected?.isExact || expected?.cost === 0) return this.#spent + expected.cost <= most;
    return this.#spent < most;
  }

  /** Ends a task that was in hand. */
  put({ cost: told, cached, unpriced = 0, calls = 0 }: Put): void {
    this.#inHand--;
    const one = this.#dearest ?? this.#expected?.cost;
    if (unpriced > 0 && one === undefined && this.limits.cost !== undefined) {
      this.#isOver ??= `$${this.limits.cost}, since a call did not say what it cost`;
    }
    const cost = unpriced > 0 ? Math.max(told, one ?? 0) : told;
    this.#spent += cost;
    if (!cached) {
      const made = Math.max(1, calls);
      this.#calls += made;
      this.#mostCalls = Math.max(this.#mostCalls, made);
      if (unpriced === 0 || one !== undefined) this.#dearest = Math.max(this.#dearest ?? 0, cost);
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/**
 * Asks as far as the budget goes, and takes from it what the calls cost.
 *
 * @throws NoAnswer with the reason `budget` where a limit was met.
 */
export async function askWithin<Answer>(
  budget: Budget,
  options: CallOptions,
  ask: (traced: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  if (!(await budget.take())) {
    throw new NoAnswer("budget", `Not asked: the limit of ${budget.over} was met`);
  }
  const costs = new CallCosts();
  const trace = (entry: JsonObject) => {
    costs.note(entry);
    options.trace?.(entry);
  };
  try {
    return await ask({ ...options, trace });
  } finally {
    budget.put(costs.spent);
  }
}

/**
 * Checks the sight of the models that are about to be shown images and were not checked yet.
 *
 * @param names the models that are asked, as steps and metrics name them
 * @throws InputError where one is blind; see `Sights.look`
 */
export async function lookFirst(
  meter: CallMeter | undefined,
  {
    names,
    budget,
    signal,
    trace,
  }: {
    readonly names: readonly string[];
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly trace: (entry: JsonObject) => void;
  },
): Promise<void> {
  const { sights } = meter ?? {};
  if (meter === undefined || sights === undefined) return;
  for (const look of await sights.unknown(meter.looks(names))) {
    const { cost, isExact, unpriced } = await meter.count(() => sights.check(look));
    budget.expect({
      cost: unpriced.size > 0 ? undefined : cost,
      dearest: cost,
      isExact,
      mostCalls: 4,
    });
    await askWithin(budget, { signal, trace }, (options) => sights.look(look, options)).catch(
      (error: unknown) => {
        // Where a limit was met nothing else is asked, either.
        if (!(error instanceof NoAnswer)) throw error;
      },
    );
  }
  sights.refuseBlind();
}
