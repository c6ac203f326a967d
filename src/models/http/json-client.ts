import { setMaxListeners } from "node:events";
import { IncompleteError, InputError } from "../../core/errors.js";
import type { CallOptions } from "../../core/models.js";
import type { Random } from "../../core/random.js";
import { readJson } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { backoff } from "./backoff.js";
import { CallFailure, isOutage, isOutOfCredit, mayPass, reasonOf } from "./call-failure.js";
import { CallLimits, type Limits } from "./call-limits.js";
import { CircuitBreaker } from "./circuit-breaker.js";
import type { Clock } from "./clock.js";
import { errorBody, isWebPage } from "./error-body.js";
import { exchange, type Reply, systemCodeOf, type TimeOuts } from "./exchange.js";
import { retryAfter } from "./retry-after.js";
import { type Secret, secretRemover } from "./secrets.js";
import { endOfWait, longWait } from "./wait-text.js";

/** A provider that asks to wait longer, in milliseconds, is not waited for. */
const longestWait = 5 * 60_000;
/** From here on, in milliseconds, people are told what is waited for. */
const toldWait = 5000;

export interface JsonCall<Value> {
  /** Below the base URL, such as `chat/completions`. */
  readonly path: string;
  /** The body to send by POST; a GET where not given. */
  readonly body?: unknown;
  /**
   * Makes the answer of the JSON in a reply. Throws `CallFailure` "faulty-reply" where it is not
   * what the provider promised: it is then asked again.
   */
  read(json: unknown): Value;
  /**
   * Makes one reply of the events of a stream, which some servers send unasked; `undefined` where it broke
   * off. Where not given, a stream is a faulty reply.
   */
  ofStream?(events: readonly unknown[]): unknown;
  /** Whether a member `error` belongs to the answer, as it tells how some other work went. */
  readonly mayHoldError?: boolean;
  /** How many tokens it may take, for the limit by minute. */
  readonly tokens?: number;
}

export interface JsonAnswer<Value> {
  readonly value: Value;
  /** As it came, apart from keys. */
  readonly json: unknown;
  readonly attempts: number;
}

/**
 * Calls to one provider that speaks JSON over HTTP: in line (`CallLimits`), not while it is down
 * (`CircuitBreaker`), again where that can help (429, 408, 5xx, a connection that breaks, a reply
 * that stalls, breaks off or is not what was promised).
 */
export class JsonClient {
  readonly baseUrl: string;
  readonly #options: JsonClientOptions;
  readonly #limits: CallLimits;
  readonly #breaker: CircuitBreaker;
  readonly #withoutSecrets: (text: string) => string;
  #hasAnswered = false;
  #toldUntil = Number.NEGATIVE_INFINITY;

  /** @param sibling another way to the same server, which its calls share a line with */
  constructor(options: JsonClientOptions, sibling?: JsonClient) {
    const { baseUrl, limits, clock, tell, waitsWhileDown } = options;
    this.baseUrl = baseUrl;
    this.#options = options;
    this.#withoutSecrets = secretRemover(options.secrets);
    this.#limits = sibling
      ? sibling.#limits
      : new CallLimits(limits, clock, tell && ((text) => tell(`${baseUrl}: ${text}`)));
    this.#breaker = sibling
      ? sibling.#breaker
      : new CircuitBreaker(baseUrl, clock, tell, { waits: waitsWhileDown });
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
   *   down or the account has no credit; the signal's reason when it aborts.
   */
  async call<Value>(
    call: JsonCall<Value>,
    { signal, trace }: CallOptions = {},
  ): Promise<JsonAnswer<Value>> {
    const { clock, attempts } = this.#options;
    // As many calls as are in line listen to one signal: no leak, though Node would warn of one.
    if (signal !== undefined) setMaxListeners(0, signal);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(call, attempt, signal);
      if ("value" in outcome) return { ...outcome, attempts: attempt };
      const { failure, wait } = outcome;
      this.#refuse(failure);
      const isLast = attempt >= attempts || wait > longestWait;
      trace?.({
        kind: "attempt-failed",
        attempt,
        problem: failure.message,
        ...(failure.status === undefined ? {} : { status: failure.status }),
        ...(isLast ? {} : { waitSeconds: wait / 1000 }),
      });
      if (isLast) throw this.#noAnswer(failure, attempt, wait);
      this.#tellOfWait(failure, wait);
      await clock.sleep(wait, signal);
    }
  }

  async #attempt<Value>(call: JsonCall<Value>, attempt: number, signal: AbortSignal | undefined) {
    const { clock, random } = this.#options;
    const { tokens = 0 } = call;
    await this.#limits.enter(tokens, signal);
    let leave: (() => void) | undefined;
    try {
      leave = await this.#options.line?.enter(tokens, signal);
      const passage = await this.#breaker.pass(signal);
      const started = clock.now();
      try {
        const answer = this.#read(call, await this.#send(call, signal));
        this.#hasAnswered = true;
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
        const wait = error.wait ?? backoff(attempt, random);
        if (error.status === 429 && mayPass(error)) {
          // A wait that fails this call holds up no other.
          this.#limits.slowDown(wait > longestWait ? 0 : wait, started);
        }
        return { failure: error, wait };
      }
    } finally {
      leave?.();
      this.#limits.leave();
    }
  }

  /** Says what people should know of the server, where somebody listens. */
  tell(text: string): void {
    this.#options.tell?.(`${this.baseUrl}: ${text}`);
  }

  /** Corrects the count of tokens once it is known what a call used. */
  used(tokens: number, estimated: number): void {
    this.#limits.used(tokens, estimated);
  }

  async #send(
    { path, body }: JsonCall<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<TextReply> {
    const { fetch, clock, timeOuts, headers } = this.#options;
    const isPost = body !== undefined;
    const reply = await exchange(
      {
        method: isPost ? "POST" : "GET",
        url: `${this.baseUrl}/${path}`,
        headers: { ...headers, ...(isPost ? { "content-type": "application/json" } : {}) },
        ...(isPost ? { body: JSON.stringify(body) } : {}),
      },
      { fetch, clock, timeOuts, signal },
    );
    // A provider that repeats a key would have it written to traces and caches.
    const text = this.#withoutSecrets(reply.bytes.toString("utf8").replace(/^\uFEFF/, ""));
    return { status: reply.status, headers: reply.headers, text };
  }

  #read<Value>(call: JsonCall<Value>, { status, headers, text }: TextReply) {
    if (status < 200 || status >= 300) {
      const wait = retryAfter(headers.get("retry-after"), this.#options.clock.now());
      throw statusFailure(status, text, wait);
    }
    const json = this.#unescaped(jsonOf(text, call.ofStream), text);
    const { mayHoldError = false } = call;
    if (!mayHoldError && isObject(json) && "error" in json && json.error) {
      throw statusFailure(errorBody(text).status ?? 502, text);
    }
    return { value: call.read(json), json };
  }

  /** Removes secrets that escapes of JSON could hide. */
  #unescaped(json: unknown, text: string): unknown {
    if (!text.includes("\\u")) return json;
    const plain = JSON.stringify(json);
    const redacted = this.#withoutSecrets(plain);
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

  /** Failures that no other attempt mends. */
  #refuse(failure: CallFailure): void {
    if (isOutOfCredit(failure)) {
      throw new IncompleteError(
        `The account at ${this.baseUrl} has no credit: ${failure.message}`,
        {
          hint: "Answers are saved and cost nothing again. Run the same command when it has.",
          cause: failure,
        },
      );
    }
    if (!mayPass(failure)) throw failure;
    const code = systemCodeOf(failure) ?? "";
    if (this.#hasAnswered || !["ECONNREFUSED", "ENOTFOUND"].includes(code)) return;
    const message = `Can't reach ${this.baseUrl}: ${failure.message}`;
    const hint =
      "Is the server running, and is the base URL right? (baseUrl in the settings, or the environment)";
    // A name that nobody has is a wrong address; who refuses at a right one is down.
    throw code === "ENOTFOUND"
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

/** A line in which calls wait together with those of other processes. */
export interface SharedLine {
  /** Waits until one more call may be made; returns what is to be called when it has ended. */
  enter(tokens: number, signal?: AbortSignal): Promise<() => void>;
}

export interface JsonClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly Secret[];
  readonly limits: Limits;
  /** Waited for after the line of this process. */
  readonly line?: SharedLine | undefined;
  readonly timeOuts: TimeOuts;
  /** How often a call is made at most. */
  readonly attempts: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: Pick<Random, "between">;
  /** Whether a provider that is down is waited for, or given up at once. */
  readonly waitsWhileDown: boolean;
  /** Takes what people should know while they wait. */
  readonly tell?: ((text: string) => void) | undefined;
}

interface TextReply extends Pick<Reply, "status" | "headers"> {
  readonly text: string;
}

const isObject = (json: unknown): json is object => typeof json === "object" && json !== null;

/**
 * How servers say 500 of a request that does not fit: pydantic's beginning, a chat template that refuses a
 * role, log-probabilities that are not there.
 */
const misfit =
  /^\d+ validation errors?\b|chat template|jinja|\broles?\b|\bsystem (role|message|prompt)|log_?probs?\b/i;

function statusFailure(said: number, text: string, wait?: number): CallFailure {
  const { message, code } = errorBody(text);
  // llama-cpp-python and llama.cpp do; asked again they would say the same.
  const status = said === 500 && misfit.test(message) ? 422 : said;
  return new CallFailure("status", `HTTP ${status}: ${message}`, {
    status,
    ...(code === undefined ? {} : { providerCode: code }),
    ...(wait === undefined ? {} : { wait }),
  });
}

function jsonOf(text: string, ofStream: JsonCall<unknown>["ofStream"]): unknown {
  try {
    if (ofStream === undefined || !/^\s*(data|event|id|retry)?:/.test(text)) return readJson(text);
    const reply = ofStream(eventsIn(text));
    if (reply !== undefined) return reply;
    throw new SyntaxError("The stream broke off");
  } catch (cause) {
    const what = isWebPage(text)
      ? `${errorBody(text).message} instead of JSON; is the base URL right?`
      : "a reply that is no JSON, or was cut short";
    throw new CallFailure("faulty-reply", what, { cause });
  }
}

/** The JSON of server-sent events, without the `[DONE]` that ends them. */
const eventsIn = (text: string): unknown[] =>
  text
    .split(/\r?\n/)
    .flatMap((line) => /^data:\s*(.*?)\s*$/.exec(line)?.[1] ?? [])
    .filter((data) => data !== "" && data !== "[DONE]")
    .map(readJson);
