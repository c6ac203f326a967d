import { setMaxListeners } from "node:events";
import { IncompleteError, InputError } from "../../core/errors.js";
import type { CallOptions } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import type { Clock } from "../http/clock.js";
import {
  type Ability,
  type BridgeCommand,
  BridgeProcess,
  errorOf,
  type Facts,
  factsSchema,
  helloSchema,
  jsonOf,
  protocolVersion,
  type Reply,
  replySchema,
} from "./bridge-process.js";

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

interface StartOptions {
  readonly command: BridgeCommand;
  readonly backend: string;
  readonly abilities: readonly Ability[];
  readonly clock: Clock;
  /** Milliseconds until a started process has said what it is. */
  readonly handshake: number;
  /** Milliseconds for loading the model, which may first be downloaded. */
  readonly load: number;
  /** Throws where a loaded model is not the one that was meant. */
  readonly accept: (facts: Facts) => void;
}

/** The request that loads the model; later ones have higher numbers. */
const loadId = 0;

/**
 * Starts a process, learns what it is, has it load its model and then hands its lines on.
 *
 * @returns the process at once, and when it is ready what it says of its model
 * @throws InputError, by `ready`, where there is no Python, it is no bridge, a package is missing or
 *   the model can't be loaded.
 */
function startBridge(
  { command, backend, abilities, clock, handshake, load, accept }: StartOptions,
  {
    onLine,
    onEnd,
  }: { readonly onLine: (line: string) => void; readonly onEnd: (how: string) => void },
): { readonly process: BridgeProcess; readonly ready: Promise<Facts> } {
  const { promise: ready, resolve, reject } = deferred<Facts>();
  let state: "started" | "loading" | "ready" = "started";
  const within = (milliseconds: number, late: string) =>
    clock.timer(milliseconds, () => process.kill(`${late} ${milliseconds / 1000} seconds`));
  const process = new BridgeProcess(command, {
    onLine(line) {
      if (state === "ready") return onLine(line);
      stopTimer();
      try {
        if (state === "started") {
          checkHello(line, { backend, abilities });
          state = "loading";
          stopTimer = within(load, "was loading for more than");
          void process.send(JSON.stringify({ id: loadId, method: "load" }));
        } else {
          const facts = factsOf(line);
          accept(facts);
          state = "ready";
          resolve(facts);
        }
      } catch (error) {
        reject(error);
        process.kill("was refused");
      }
    },
    onEnd(how, cause) {
      stopTimer();
      if (state === "ready") return onEnd(how);
      const words = `The bridge to ${backend} ${how} before it was ready${process.lastWords}`;
      reject(notStarted(words, command.program, cause));
    },
  });
  let stopTimer = within(handshake, "said nothing for");
  return { process, ready };
}

function checkHello(
  line: string,
  { backend, abilities }: Pick<StartOptions, "backend" | "abilities">,
): void {
  const { success, data } = helloSchema.safeParse(jsonOf(line));
  if (!success) {
    throw new InputError(`Expected a bridge but its first line is: ${line.slice(0, 200)}`, {
      hint: "Is the Python the one that is meant? (TOUCHSTONE_PYTHON, or python in its settings)",
    });
  }
  const lacks = abilities.filter((ability) => !data.abilities.includes(ability));
  if (data.protocol === protocolVersion && data.backend === backend && lacks.length === 0) return;
  throw new InputError(
    `Expected protocol ${protocolVersion} of ${backend} from the bridge but received protocol ` +
      `${data.protocol} of ${data.backend}${lacks.length > 0 ? ` without ${lacks.join(", ")}` : ""}`,
    { hint: "The folder bridge must be of the same version of touchstone" },
  );
}

function factsOf(line: string): Facts {
  const reply = replySchema.safeParse(jsonOf(line));
  if (reply.success && reply.data.id === loadId) {
    if ("error" in reply.data) throw errorOf(reply.data.error);
    const facts = factsSchema.safeParse("result" in reply.data ? reply.data.result : undefined);
    if (facts.success) return facts.data;
  }
  throw new InputError(`The bridge does not say what it loaded: ${line.slice(0, 200)}`);
}

function notStarted(words: string, program: string, cause: NodeJS.ErrnoException | undefined) {
  if (cause === undefined) return new InputError(words, { hint: `Is ${program} a Python?` });
  return new InputError(`Can't start ${program}, which python-bridge needs: ${cause.message}`, {
    hint: "Name a Python 3.9 or later: TOUCHSTONE_PYTHON=/path/to/python, or python in its settings",
    cause,
  });
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
