import { setMaxListeners } from "node:events";
import { IncompleteError } from "../../core/errors.js";
import type { CallOptions } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import {
  type Ability,
  type BridgeCommand,
  type BridgeProcess,
  type Facts,
  type Frame,
  type Reply,
  replySchema,
} from "./bridge-process.js";
import { type StartOptions, startBridge } from "./start-bridge.js";

/** Restarts in a row without an answer between them. */
const mostRestarts = 3;

export interface BridgeOptions extends Omit<StartOptions, "command"> {
  /** A process each. */
  readonly commands: readonly BridgeCommand[];
  /** How many requests a process has at a time: enough for the batch that it computes and those that it prepares. */
  readonly inFlight: number;
  /** Milliseconds without an answer while one is owed. */
  readonly answer: number;
}

/** An answer, the bytes that its results refer to, and the facts of the process that gave it. */
export interface Answered {
  readonly reply: Reply;
  readonly follows: Buffer;
  readonly facts: Facts;
}

type Outcome = Answered | { readonly error: unknown };

interface Asked {
  readonly method: string;
  readonly items: readonly object[] | undefined;
  readonly settle: (outcome: Outcome) => void;
  readonly isSettled: () => boolean;
  /** How often the process died while it had it. */
  deaths: number;
}

interface Running {
  readonly process: BridgeProcess;
  readonly facts: Facts;
  readonly inFlight: Map<number, Asked>;
}

/** A place for one process at a time. */
interface Seat {
  readonly command: BridgeCommand;
  process: BridgeProcess | undefined;
  starting: Promise<Running> | undefined;
  stopTimer: () => void;
  isPumping: boolean;
  deathsInRow: number;
}

/**
 * Requests in one line to as many processes as there are commands. Each is started when it is first needed, started again
 * when it dies, and ends with this program: its input closes then, and that ends it whatever it is doing. What a process
 * had when it died is asked once more, each alone; what ends it again has no answer.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  #line: Asked[] = [];
  readonly #seats: readonly Seat[];
  #nextId = 1;
  #hasAnswered = false;
  /** Why nothing more can be asked. */
  #isOver: Error | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#seats = options.commands.map((command) => ({
      command,
      process: undefined,
      starting: undefined,
      stopTimer: () => {},
      isPumping: false,
      deathsInRow: 0,
    }));
  }

  /** The first process that runs now. */
  get pid(): number | undefined {
    return this.#seats.find(({ process }) => process !== undefined)?.process?.pid;
  }

  /**
   * Starts all processes and has them load their model.
   *
   * @throws InputError where there is no Python, a package is missing or the model can't be loaded.
   */
  async load(): Promise<Facts> {
    const [facts] = await Promise.all(
      this.#seats.map(async (seat) => (await this.#started(seat)).facts),
    );
    if (facts === undefined) throw new RangeError("Expected a command for a bridge");
    return facts;
  }

  /**
   * @throws NoAnswer "timeout", or "provider-error" where the process died of it twice; InputError as
   *   `load`; IncompleteError where it dies again and again; the signal's reason when it aborts.
   */
  ask(
    method: Ability | "health",
    items?: readonly object[],
    { signal }: CallOptions = {},
  ): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#isOver !== undefined) return reject(this.#isOver);
      let isSettled = false;
      const settle = (outcome: Outcome) => {
        signal?.removeEventListener("abort", cancel);
        if (isSettled) return;
        isSettled = true;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome);
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
      this.#pumpAll();
    });
  }

  /** Ends the processes; what is still asked has no answer. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#isOver ??= new NoAnswer("provider-error", `${this.#name} was closed`);
    await Promise.all(this.#seats.map((seat) => this.#closeSeat(seat)));
  }

  async #closeSeat(seat: Seat): Promise<void> {
    seat.stopTimer();
    const { process } = seat;
    const running = await seat.starting?.catch(() => undefined);
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

  #pumpAll(): void {
    for (const seat of this.#seats) void this.#pump(seat);
  }

  async #pump(seat: Seat): Promise<void> {
    if (seat.isPumping) return;
    seat.isPumping = true;
    try {
      while (this.#line.length > 0) {
        const running = await this.#started(seat);
        const requests = this.#taken(running);
        if (requests.length === 0) break;
        running.process.hold(true);
        if (running.inFlight.size === requests.length) this.#watch(seat, running);
        await running.process.send(...requests);
      }
    } catch (error) {
      this.#giveUp(error);
    } finally {
      seat.isPumping = false;
    }
  }

  /** What a process is handed now. What ended one before goes alone, so that it alone is to blame when it does again. */
  #taken({ inFlight }: Running): object[] {
    const requests: object[] = [];
    while (inFlight.size < this.#options.inFlight) {
      const [next] = this.#line;
      const [first] = inFlight.values();
      if (next === undefined || (first !== undefined && first.deaths + next.deaths > 0)) break;
      this.#line.shift();
      const id = this.#nextId++;
      inFlight.set(id, next);
      requests.push({ id, method: next.method, items: next.items });
    }
    return requests;
  }

  #started(seat: Seat): Promise<Running> {
    if (this.#isOver !== undefined) return Promise.reject(this.#isOver);
    seat.starting ??= this.#start(seat).catch((error: unknown) => {
      seat.starting = undefined;
      // What ran before and does not start now is no wrong input.
      if (!this.#hasAnswered || !(error instanceof Error)) throw error;
      throw new IncompleteError(error.message, { cause: error });
    });
    return seat.starting;
  }

  async #start(seat: Seat): Promise<Running> {
    let running: Running | undefined;
    const { command } = seat;
    const { process, ready } = startBridge(
      { ...this.#options, command },
      {
        onFrame: (frame) => running && this.#answered(seat, running, frame),
        onEnd: (how) => running && this.#died(seat, running, how),
      },
    );
    seat.process = process;
    void process.ended.then(() => {
      if (seat.process === process) seat.process = undefined;
    });
    ready.catch(() => {});
    running = { process, facts: await ready, inFlight: new Map() };
    // It may have ended in the moment between.
    if (process.hasEnded) throw new IncompleteError(`${this.#name} ended as soon as it was ready`);
    process.hold(false);
    return running;
  }

  #answered(seat: Seat, running: Running, { message, follows }: Frame): void {
    const { success, data } = replySchema.safeParse(message);
    const asked = success ? running.inFlight.get(data.id) : undefined;
    if (!success || asked === undefined) {
      const told = JSON.stringify(message) ?? "nothing";
      running.process.kill(`answered what was not asked: ${told.slice(0, 200)}`);
      return;
    }
    running.inFlight.delete(data.id);
    seat.deathsInRow = 0;
    this.#hasAnswered = true;
    asked.settle({ reply: data, follows, facts: running.facts });
    this.#watch(seat, running);
    this.#pumpAll();
  }

  /** The time runs from the last answer. */
  #watch(seat: Seat, { process, inFlight }: Running): void {
    seat.stopTimer();
    process.hold(inFlight.size > 0);
    if (inFlight.size === 0) return;
    const { clock, answer } = this.#options;
    seat.stopTimer = clock.timer(answer, () => process.kill(late(answer)));
  }

  #died(seat: Seat, { process, inFlight }: Running, how: string): void {
    seat.stopTimer();
    seat.starting = undefined;
    seat.deathsInRow++;
    const held = [...inFlight.values()].filter((asked) => !asked.isSettled());
    const words = `${this.#name} ${how}${process.lastWords}`;
    const again = held.filter((asked) => {
      if (++asked.deaths < 2) return true;
      const reason = how === late(this.#options.answer) ? "timeout" : "provider-error";
      asked.settle({ error: new NoAnswer(reason, `${words} (asked twice)`) });
      return false;
    });
    this.#line = [...again, ...this.#line];
    if (seat.deathsInRow > mostRestarts) {
      this.#isOver ??= new IncompleteError(
        `${words}. It was started again ${mostRestarts} times and answered nothing`,
        { hint: "Answers are saved. Run the same command again when it is fixed." },
      );
      this.#giveUp(this.#isOver);
    }
    this.#pumpAll();
  }

  #giveUp(error: unknown, running?: Running): void {
    for (const asked of running?.inFlight.values() ?? []) asked.settle({ error });
    for (const asked of this.#line.splice(0)) asked.settle({ error });
  }
}

const late = (answer: number) => `gave no answer within ${answer / 1000} seconds`;
