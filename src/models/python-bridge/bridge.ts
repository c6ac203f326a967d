import { setMaxListeners } from "node:events";
import { IncompleteError } from "../../core/errors.js";
import type { CallOptions } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { type Ability, type Facts, jsonOf, type Reply, replySchema } from "./bridge-messages.js";
import type { BridgeProcess } from "./bridge-process.js";
import { type StartOptions, startBridge } from "./start-bridge.js";

/** Requests that are written before the answer to the first has come, so that none waits on us. */
export const mostInFlight = 2;
/** Restarts in a row without an answer between them. */
const mostRestarts = 3;

export interface BridgeOptions extends StartOptions {
  /** Milliseconds without an answer while one is owed. */
  readonly answer: number;
}

type Outcome = { readonly reply: Reply } | { readonly error: unknown };

interface Asked {
  readonly method: string;
  readonly items: readonly object[] | undefined;
  readonly settle: (outcome: Outcome) => void;
  readonly isSettled: () => boolean;
  /** How often the process died while it was being answered. */
  deaths: number;
}

interface Running {
  readonly process: BridgeProcess;
  readonly facts: Facts;
  /** By number, the oldest first: answers come in this order. */
  readonly inFlight: Map<number, Asked>;
}

/**
 * Requests to one process at a time, in line. It is started when first asked, started again when it
 * dies, and ends with this program: its input closes then, and that ends it whatever it is doing.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  #line: Asked[] = [];
  #process: BridgeProcess | undefined;
  #starting: Promise<Running> | undefined;
  #isPumping = false;
  #stopTimer = () => {};
  #deathsInRow = 0;
  #nextId = 1;
  #hasAnswered = false;
  /** Why nothing more can be asked. */
  #isOver: Error | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** The process that runs now. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Starts it and loads its model.
   *
   * @throws InputError where there is no Python, a package is missing or the model can't be loaded.
   */
  async load(): Promise<Facts> {
    return (await this.#started()).facts;
  }

  /**
   * @throws NoAnswer "timeout", or "provider-error" where the process died of it twice; InputError as
   *   `load`; IncompleteError where it dies again and again; the signal's reason when it aborts.
   */
  ask(
    method: Ability | "health",
    items?: readonly object[],
    { signal }: CallOptions = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#isOver !== undefined) return reject(this.#isOver);
      let isSettled = false;
      const settle = (outcome: Outcome) => {
        signal?.removeEventListener("abort", cancel);
        if (isSettled) return;
        isSettled = true;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.reply);
      };
      const asked: Asked = { method, items, settle, isSettled: () => isSettled, deaths: 0 };
      const cancel = () => {
        const place = this.#line.indexOf(asked);
        if (place >= 0) this.#line.splice(place, 1);
        settle({ error: signal?.reason });
      };
      // As many requests as are in line listen to one signal: no leak, though Node would warn.
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener("abort", cancel, { once: true });
      this.#line.push(asked);
      void this.#pump();
    });
  }

  /** Ends the process; what is still asked has no answer. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#isOver ??= new NoAnswer("provider-error", `${this.#name} was closed`);
    this.#stopTimer();
    const process = this.#process;
    const running = await this.#starting?.catch(() => undefined);
    this.#giveUp(this.#isOver, running);
    if (process === undefined) return;
    process.hold(true);
    process.finish();
    const stop = this.#options.clock.timer(5000, () => process.kill("did not end"));
    await process.ended;
    stop();
  }

  get #name(): string {
    return `The bridge to ${this.#options.backend}`;
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#line.length > 0) {
        const running = await this.#started();
        if (running.inFlight.size >= mostInFlight) break;
        const asked = this.#line.shift();
        if (asked === undefined) break;
        const id = this.#nextId++;
        running.inFlight.set(id, asked);
        running.process.hold(true);
        if (running.inFlight.size === 1) this.#watch(running);
        const { method, items } = asked;
        await running.process.send(JSON.stringify({ id, method, items }));
      }
    } catch (error) {
      this.#giveUp(error);
    } finally {
      this.#isPumping = false;
    }
  }

  #started(): Promise<Running> {
    if (this.#isOver !== undefined) return Promise.reject(this.#isOver);
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      // What ran before and does not start now is no wrong input.
      if (!this.#hasAnswered || !(error instanceof Error)) throw error;
      throw new IncompleteError(error.message, { cause: error });
    });
    return this.#starting;
  }

  async #start(): Promise<Running> {
    let running: Running | undefined;
    const { process, ready } = startBridge(this.#options, {
      onLine: (line) => running && this.#answered(running, line),
      onEnd: (how) => running && this.#died(running, how),
    });
    this.#process = process;
    void process.ended.then(() => {
      if (this.#process === process) this.#process = undefined;
    });
    ready.catch(() => {});
    running = { process, facts: await ready, inFlight: new Map() };
    // It may have ended in the moment between.
    if (process.hasEnded) throw new IncompleteError(`${this.#name} ended as soon as it was ready`);
    process.hold(false);
    return running;
  }

  #answered(running: Running, line: string): void {
    const { success, data } = replySchema.safeParse(jsonOf(line));
    const asked = success ? running.inFlight.get(data.id) : undefined;
    if (!success || asked === undefined) {
      running.process.kill(`answered what was not asked: ${line.slice(0, 200)}`);
      return;
    }
    running.inFlight.delete(data.id);
    this.#deathsInRow = 0;
    this.#hasAnswered = true;
    asked.settle({ reply: data });
    this.#watch(running);
    void this.#pump();
  }

  /** The time runs for the oldest, from the answer before it. */
  #watch({ process, inFlight }: Running): void {
    this.#stopTimer();
    const [oldest] = inFlight.values();
    process.hold(oldest !== undefined);
    if (oldest === undefined) return;
    const { clock, answer } = this.#options;
    const late = `gave no answer within ${answer / 1000} seconds`;
    this.#stopTimer = clock.timer(answer, () => {
      oldest.settle({ error: new NoAnswer("timeout", `${this.#name} ${late}`) });
      process.kill(late);
    });
  }

  #died({ process, inFlight }: Running, how: string): void {
    this.#stopTimer();
    this.#starting = undefined;
    this.#deathsInRow++;
    const [oldest] = inFlight.values();
    const words = `${this.#name} ${how}${process.lastWords}`;
    if (oldest !== undefined && ++oldest.deaths > 1) {
      oldest.settle({ error: new NoAnswer("provider-error", `${words} (asked twice)`) });
    }
    // Those behind the oldest were not begun: it was not they who ended it.
    const behind = [...inFlight.values()].filter((asked) => !asked.isSettled());
    this.#line = [...behind, ...this.#line];
    if (this.#deathsInRow > mostRestarts) {
      this.#isOver ??= new IncompleteError(
        `${words}. It was started again ${mostRestarts} times and answered nothing`,
        { hint: "Answers are saved. Run the same command again when it is fixed." },
      );
      this.#giveUp(this.#isOver);
    }
    void this.#pump();
  }

  #giveUp(error: unknown, running?: Running): void {
    for (const asked of running?.inFlight.values() ?? []) asked.settle({ error });
    for (const asked of this.#line.splice(0)) asked.settle({ error });
  }
}
