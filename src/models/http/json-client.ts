import { setMaxListeners } from "node:events";
import { IncompleteError, InputError } from "../../core/errors.js";
import type { CallOptions } from "../../core/models.js";
import type { Random } from "../../core/random.js";
import { readJson } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure, isOutage, isOutOfCredit, mayPass, reasonOf } from "./call-failure.js";
import { CallLimits, type Limits } from "./call-limits.js";
import { CircuitBreaker, type Passage } from "./circuit-breaker.js";
import type { Clock } from "./clock.js";
import { mayHoldError } from "./error-body.js";
import { exchange, systemCodeOf, type TimeOuts } from "./exchange.js";
import { type ReplyForm, readReply, type TextReply } from "./read-reply.js";
import { type Secret, secretRemover } from "./secrets.js";
import { backoff, endOfWait, longWait } from "./waits.js";

/** A provider that asks to wait longer, in milliseconds, is not waited for. */
const longestWait = 5 * 60_000;
/** From here on, in milliseconds, people are told what is waited for. */
const toldWait = 5000;
/** So often a call is made whose replies can't be read. */
const mostUnread = 2;
/** A longer reply is none of words and numbers. */
const mostBytes = 8 * 2 ** 20;

export interface JsonCall<Value> extends ReplyForm {
  /** Below the base URL, such as `chat/completions`; or a whole address that the caller trusts with the key. */
  readonly path: string;
  /** The body to send by POST; a GET where neither this nor `form` is given. */
  readonly body?: unknown;
  /** Fields to send by POST as multipart/form-data. */
  readonly form?: Readonly<Record<string, string>>;
  /** Whether an answer is dear, as an image is: one that came and can't be read is not asked for again. */
  readonly isPaid?: boolean;
  /**
   * Makes the answer of the JSON in a reply. Throws `CallFailure` "faulty-reply" where it is not
   * what the provider promised: it is then asked once more.
   */
  read(json: unknown): Value;
  /**
   * Tells what is asked about, such as an image, from other items; the call itself where not given. Only
   * a call with an item is made again to find out whether the provider answers.
   */
  readonly item?: string;
  /** A longer reply is none: 8 MiB where not given. */
  readonly mostBytes?: number;
  /** How many tokens it may take, for the limit by minute. */
  readonly tokens?: number;
}

export interface JsonAnswer<Value> {
  readonly value: Value;
  /** As it came, apart from keys. */
  readonly json: unknown;
  readonly attempts: number;
}

type Trace = CallOptions["trace"];

/** A call as it is made again to find out whether the provider answers. */
export type KnownCall = () => Promise<JsonCall<unknown>> | JsonCall<unknown>;

/**
 * Calls to one provider that speaks JSON over HTTP: in line (`CallLimits`), not while it is down
 * (`CircuitBreaker`), again where that can help (429, 408, 5xx, a connection that breaks, a reply
 * that stalls or breaks off), once more where a reply is not what was promised.
 */
export class JsonClient {
  readonly baseUrl: string;
  readonly #options: JsonClientOptions;
  readonly #limits: CallLimits;
  readonly #breaker: CircuitBreaker;
  readonly #withoutSecrets: ReturnType<typeof secretRemover>;
  /** Calls that wait: to be made, or to be made again. */
  readonly #waiting = new Set<AbortController>();
  #known: KnownCall | undefined;
  #underWay = 0;
  /** Resolves when calls may go out again; see `whileQuiet`. */
  #quiet: Promise<unknown> | undefined;
  #whenQuiet: () => void = () => {};
  #hasAnswered = false;
  #toldUntil = Number.NEGATIVE_INFINITY;

  /** @param sibling another way to the same server, which its calls share a line with */
  constructor(options: JsonClientOptions, sibling?: JsonClient) {
    const { baseUrl, limits, clock, tell } = options;
    this.baseUrl = baseUrl;
    this.#options = options;
    this.#withoutSecrets = secretRemover(options.secrets);
    this.#limits = sibling
      ? sibling.#limits
      : new CallLimits(limits, clock, tell && ((text) => tell(`${baseUrl}: ${text}`)));
    this.#breaker = sibling ? sibling.#breaker : new CircuitBreaker(baseUrl, clock, tell);
    if (sibling !== undefined) this.#limits.tighten(limits);
  }

  /** Whether calls carry a key. */
  get hasKey(): boolean {
    return this.#options.secrets.length > 0;
  }

  /**
   * @throws CallFailure with the status of a call that is refused and would be again (400, 401, …);
   *   NoAnswer "rate-limited", "timeout" or "provider-error" when the attempts are used up;
   *   InputError where nothing answers at the address at all; IncompleteError where the provider is
   *   down or the account has no credit; the signal's reason when it aborts; what `end` was given.
   */
  async call<Value>(
    call: JsonCall<Value>,
    { signal, trace }: CallOptions = {},
  ): Promise<JsonAnswer<Value>> {
    const { clock, attempts } = this.#options;
    // As many calls as are in line listen to one signal: no leak, though Node would warn of one.
    if (signal !== undefined) setMaxListeners(0, signal);
    const waiting = new AbortController();
    const stop = () => waiting.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    this.#waiting.add(waiting);
    let unread = 0;
    try {
      for (let attempt = 1; ; attempt++) {
        const outcome = await this.#attempt(call, attempt, {
          signal,
          waiting: waiting.signal,
          trace,
        });
        if ("value" in outcome) return { ...outcome, attempts: attempt };
        const { failure, wait } = outcome;
        if (failure.kind === "faulty-reply") unread++;
        const isSpent = call.isPaid === true && failure.isBilled;
        const isLast = attempt >= attempts || unread >= mostUnread || isSpent || wait > longestWait;
        trace?.({
          kind: "attempt-failed",
          attempt,
          problem: failure.message,
          ...(failure.isBilled ? { isBilled: true } : {}),
          ...(failure.status === undefined ? {} : { status: failure.status }),
          ...(isLast || !mayPass(failure) ? {} : { waitSeconds: wait / 1000 }),
        });
        this.#refuse(failure);
        if (isLast) throw this.#noAnswer(failure, attempt, wait);
        this.#tellOfWait(failure, wait);
        await clock.sleep(wait, waiting.signal);
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#waiting.delete(waiting);
    }
  }

  /** Ends the calls that wait with this error; those under way go on, and their replies are kept. */
  end(error: unknown): void {
    for (const waiting of this.#waiting) waiting.abort(error);
  }

  /** Lets the calls under way end, then does work, before another call goes out. One at a time. */
  async whileQuiet(work: () => Promise<void>): Promise<void> {
    const quiet = new Promise<void>((resolve) => {
      this.#whenQuiet = resolve;
      if (this.#underWay === 0) resolve();
    });
    // Whoever made the last of them hears of its end first.
    const heard = () => new Promise((resolve) => setImmediate(resolve));
    const done = quiet.then(heard).then(work);
    this.#quiet = done;
    try {
      await done;
    } finally {
      this.#quiet = undefined;
    }
  }

  /** Remembers a call that the provider answered, such as in an earlier process. */
  answered(call: KnownCall): void {
    this.#known ??= call;
  }

  /**
   * Makes a call again that was answered before.
   *
   * @returns why it was not answered now; `undefined` where it was
   * @throws TypeError where none was answered yet; ask `isKnown`.
   */
  async answersAgain(signal?: AbortSignal): Promise<CallFailure | undefined> {
    if (this.#known === undefined) throw new TypeError("No call was answered yet");
    const call = await this.#known();
    try {
      this.#read(call, await this.#send(call, signal));
    } catch (error) {
      if (error instanceof CallFailure) return error;
      if (!(error instanceof NoAnswer)) throw error;
    }
    return undefined;
  }

  /** Whether a call was answered, so that `answersAgain` can make it again. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  async #attempt<Value>(
    call: JsonCall<Value>,
    attempt: number,
    {
      signal,
      waiting,
      trace,
    }: {
      readonly signal: AbortSignal | undefined;
      readonly waiting: AbortSignal;
      readonly trace: Trace;
    },
  ) {
    const { clock, random } = this.#options;
    const { tokens = 0 } = call;
    await this.#limits.enter(tokens, waiting);
    try {
      while (this.#quiet !== undefined) await this.#quiet.catch(() => {});
      waiting.throwIfAborted();
      const passage = await this.#pass(call.item ?? call, waiting, trace);
      const started = clock.now();
      this.#underWay++;
      try {
        const answer = this.#read(call, await this.#send(call, signal));
        this.#hasAnswered = true;
        if (call.item !== undefined) this.#known = () => call;
        passage.succeeded();
        this.#limits.speedUp();
        return answer;
      } catch (error) {
        if (!(error instanceof CallFailure)) {
          if (error instanceof NoAnswer) passage.succeeded();
          else passage.abandoned();
          throw error;
        }
        if (isOutage(error)) passage.failed(error.message);
        else passage.succeeded();
        // Never sooner than it would be made by itself: six tries in a row would be for nothing.
        const wait = Math.max(error.wait ?? 0, backoff(attempt, random));
        if (error.status === 429 && mayPass(error)) {
          // A wait that fails this call holds up no other.
          this.#limits.slowDown(wait > longestWait ? 0 : wait, started);
        }
        return { failure: error, wait };
      } finally {
        this.#underWay--;
        if (this.#underWay === 0) this.#whenQuiet();
      }
    } finally {
      this.#limits.leave();
    }
  }

  /** Says what people should know of the server, where somebody listens. */
  tell(text: string): void {
    this.#options.tell?.(`${this.baseUrl}: ${text}`);
  }

  /** Waits until a call may go out. While the provider seems down, what it answered before goes first. */
  async #pass(item: unknown, waiting: AbortSignal, trace: Trace): Promise<Passage> {
    for (;;) {
      const passage = await this.#breaker.pass(item, waiting);
      if (!passage.isTry || !this.isKnown) return passage;
      try {
        const failure = await this.answersAgain(waiting);
        if (failure !== undefined && isOutage(failure)) passage.failed(failure.message);
        else {
          // It was answered in full, so it is paid for.
          trace?.({ kind: "answered-again", isBilled: true });
          passage.answeredAgain();
        }
      } catch (error) {
        passage.abandoned();
        throw error;
      }
    }
  }

  /** Corrects the count of tokens once it is known what a call used. */
  used(tokens: number, estimated: number): void {
    this.#limits.used(tokens, estimated);
  }

  async #send(
    { path, body, form, mostBytes: most = mostBytes }: JsonCall<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<TextReply> {
    const { fetch, clock, timeOuts, headers } = this.#options;
    const isJson = body !== undefined;
    const reply = await exchange(
      {
        method: isJson || form !== undefined ? "POST" : "GET",
        url: /^https?:/.test(path) ? path : `${this.baseUrl}/${path}`,
        headers: { ...headers, ...(isJson ? { "content-type": "application/json" } : {}) },
        ...(isJson ? { body: JSON.stringify(body) } : {}),
        ...(form === undefined ? {} : { form }),
        mostBytes: most,
      },
      { fetch, clock, timeOuts, signal },
    );
    // A provider that repeats a key would have it written to traces and caches.
    const whole = reply.bytes.toString("utf8").replace(/^\uFEFF/, "");
    const isAnswer = reply.status < 300 && !mayHoldError(whole);
    return { ...reply, text: this.#withoutSecrets(whole, { isAnswer }) };
  }

  #read<Value>(call: JsonCall<Value>, reply: TextReply) {
    const now = this.#options.clock.now();
    const json = this.#unescaped(readReply(reply, call, now), reply.text);
    return { value: call.read(json), json };
  }

  /** Removes secrets that escapes of JSON could hide. */
  #unescaped(json: unknown, text: string): unknown {
    if (!text.includes("\\u")) return json;
    const plain = JSON.stringify(json);
    const redacted = this.#withoutSecrets(plain, { isAnswer: true });
    return redacted === plain ? json : readJson(redacted);
  }

  /** Many calls wait at the same time; those are told of that wait longer than was said. */
  #tellOfWait({ message, status }: CallFailure, wait: number): void {
    const { clock, tell } = this.#options;
    const now = clock.now();
    if (wait < toldWait || now + wait < this.#toldUntil + toldWait) return;
    this.#toldUntil = now + wait;
    const others = status === 429 ? " All calls to it wait as long." : "";
    tell?.(`${this.baseUrl}: ${message}; asked again ${endOfWait(now, wait)}.${others}`);
  }

  /** Throws failures that no other attempt mends. */
  #refuse(failure: CallFailure): void {
    const error = this.#ending(failure);
    if (error !== undefined) {
      this.end(error);
      throw error;
    }
    if (!mayPass(failure)) throw failure;
  }

  /** The error that ends the work; `undefined` where another item may fare better. */
  #ending(failure: CallFailure): InputError | IncompleteError | undefined {
    if (isOutOfCredit(failure)) {
      return new IncompleteError(
        `The account at ${this.baseUrl} has no credit: ${failure.message}`,
        {
          hint: "Answers are saved and cost nothing again. Run the same command when it has.",
          cause: failure,
        },
      );
    }
    const code = systemCodeOf(failure) ?? "";
    if (this.#hasAnswered || !["ECONNREFUSED", "ENOTFOUND"].includes(code)) return undefined;
    const message = `Can't reach ${this.baseUrl}: ${failure.message}`;
    const hint =
      "Is the server running, and is the base URL right? (baseUrl in the settings, or the environment)";
    // A name that nobody has is a wrong address; who refuses at a right one is down.
    return code === "ENOTFOUND"
      ? new InputError(message, { hint, cause: failure })
      : new IncompleteError(message, { hint, cause: failure });
  }

  #noAnswer(failure: CallFailure, attempts: number, wait: number): NoAnswer {
    const times = attempts === 1 ? "once" : `${attempts} times`;
    const late = wait > longestWait ? `; it asks to wait ${longWait(wait)}` : "";
    const message = `${this.baseUrl} was asked ${times}; last: ${failure.message}${late}`;
    return new NoAnswer(reasonOf(failure), message, { cause: failure });
  }
}

export interface JsonClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
  readonly limits: Limits;
  readonly timeOuts: TimeOuts;
  /** How often a call is made at most. */
  readonly attempts: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: Pick<Random, "between">;
  /** Takes what people should know while they wait. */
  readonly tell?: ((text: string) => void) | undefined;
}
