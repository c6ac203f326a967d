import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../core/json.js";
import { type Key, keyOf } from "../../core/keys.js";
import type { CallOptions, GeneratedImage, ModelIdentity } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { ImageMaking } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { openGenerated } from "../../images/picture-file.js";
import { CallFailure, mayPass, reasonOf } from "../http/call-failure.js";
import { type Clock, realClock } from "../http/clock.js";
import { exchange, type TimeOuts } from "../http/exchange.js";
import type { JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { Refusals } from "../http/refusals.js";
import { backoff } from "../http/waits.js";
import { imageCost, listedImagePrice } from "./image-prices.js";

const attempts = 4;

/** Options that generators behind HTTP have in common. */
export interface HostedGeneratorOptions
  extends Partial<Omit<KeyedClientOptions, "scheme" | "headers">> {
  /** The model's own parameters, sent beside the prompt, such as `{ guidance: 3 }`. */
  readonly input?: JsonObject | undefined;
  /** The price of an image in US dollars, where data/image-prices.yaml does not say or says wrong. */
  readonly price?: number | undefined;
  /** Where jobs that a provider has begun are kept, so that another process goes on with them; nowhere if not given. */
  readonly jobs?: JobStore | undefined;
}

/** Texts by key. */
export interface JobStore {
  read(key: Key): Promise<string | undefined>;
  write(key: Key, text: string): Promise<void>;
}

/** An image as a provider gave it, and what it says of it. */
export interface ProvidedImage {
  /** The image, or where it is. */
  readonly bytes?: Uint8Array;
  readonly url?: string;
  readonly revisedPrompt?: string | undefined;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /** US dollars, where the provider says it. */
  readonly cost?: number | undefined;
  readonly making?: ImageMaking | undefined;
  readonly attempts: number;
  /** The reply, for the trace, without the image itself. */
  readonly reply: JsonObject;
}

/** Models that make an image think for minutes before they send a byte. */
const patience: TimeOuts = { total: 300_000, stall: 300_000 };
/** Nobody waits longer for one image, in milliseconds. */
const longestWork = 15 * 60_000;
const firstPause = 500;
const longestPause = 5000;

/** The way to a provider of images: calls, waiting, fetching what was made, and what it cost. */
export class ImageProvider {
  readonly calls: JsonClient;
  readonly #model: string;
  readonly #refusals: Refusals;
  readonly #price: number | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #timeOuts: TimeOuts;

  /** @param options.calling what calls are made by, not what fetches images that lie elsewhere */
  constructor(
    model: string,
    {
      price,
      calling,
      ...options
    }: HostedGeneratorOptions &
      KeyedClientOptions & {
        readonly calling: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
      },
  ) {
    this.#model = model;
    this.#price = price;
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#clock = options.clock ?? realClock;
    this.#timeOuts = { ...patience, ...options.timeOuts };
    // Fewer at once than of answers: providers of images take few.
    const limits = { ...options.limits, concurrency: options.limits?.concurrency ?? 4 };
    const fetch = calling(this.#fetch);
    this.calls = keyedClient({ ...options, fetch, limits, timeOuts: this.#timeOuts });
    this.#refusals = new Refusals(this.calls, { model, keyName: options.keyName });
  }

  /** Makes calls for one prompt; what they are refused with comes as what it means. */
  during<Made>(prompt: string, make: () => Promise<Made>): Promise<Made> {
    return this.#refusals.during(prompt, make);
  }

  /** Asks again and again, at growing intervals, until there is an answer. */
  async wait<Value>(
    ask: () => Promise<Value | undefined>,
    { signal }: Pick<CallOptions, "signal">,
  ): Promise<Value> {
    const began = this.#clock.now();
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 1.5)) {
      const value = await ask();
      if (value !== undefined) return value;
      if (this.#clock.now() - began > longestWork) {
        const minutes = longestWork / 60_000;
        throw new NoAnswer("timeout", `${this.calls.baseUrl} made no image in ${minutes} minutes`);
      }
      await this.#clock.sleep(pause, signal);
    }
  }

  /**
   * The image, fetched where it is elsewhere and opened to see that it is one; what it cost is noted
   * in the trace.
   *
   * @throws NoAnswer "provider-error" where it is none.
   */
  async finish(
    { bytes, url, revisedPrompt, usage, cost: told, making, attempts, reply }: ProvidedImage,
    asked: { readonly size?: string | undefined; readonly quality?: string | undefined },
    { signal, trace }: CallOptions,
  ): Promise<GeneratedImage> {
    const note = (cost: number | undefined) =>
      trace?.({
        kind: "model-call",
        cached: false,
        attempts,
        ...(usage === undefined ? {} : { usage }),
        ...(cost === undefined ? {} : { cost }),
        reply,
      });
    try {
      const got = bytes ?? (await this.#fetched(url, signal));
      const { width, height } = await openGenerated(got);
      note(told ?? this.#costOf({ width, height, usage, ...asked }));
      return {
        bytes: got,
        ...(revisedPrompt ? { revisedPrompt } : {}),
        ...(making === undefined ? {} : { making }),
      };
    } catch (error) {
      // It was made and is paid for, whatever became of it; a price by its size can't be told.
      const cost = told ?? this.#costOf({ width: 0, height: 0, usage, ...asked });
      if (error instanceof NoAnswer) note(cost || undefined);
      throw error;
    }
  }

  /** Notes an answer without an image that is billed all the same: what it says of tokens or dollars. */
  noteRefusal(
    {
      usage,
      cost: told,
      attempts,
      words,
    }: Pick<ProvidedImage, "usage" | "cost" | "attempts"> & { readonly words: string },
    { trace }: CallOptions,
  ): void {
    if (usage === undefined && told === undefined) return;
    const price = listedImagePrice(this.calls.baseUrl, this.#model)?.price;
    const isByTokens = this.#price === undefined && price !== undefined && "tokens" in price;
    const cost =
      told ?? (isByTokens ? imageCost(price, { width: 0, height: 0, usage }) : undefined);
    trace?.({
      kind: "model-call",
      cached: false,
      attempts,
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
      reply: { refused: words },
    });
  }

  #costOf(made: Parameters<typeof imageCost>[1]): number | undefined {
    if (this.#price !== undefined) return this.#price;
    return imageCost(listedImagePrice(this.calls.baseUrl, this.#model)?.price, made);
  }

  async #fetched(url: string | undefined, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (url === undefined) throw new NoAnswer("provider-error", "The reply holds no image");
    const [fetch, clock, timeOuts] = [this.#fetch, this.#clock, this.#timeOuts];
    return download(url, { fetch, clock, timeOuts, signal });
  }
}

/** All that makes an image differ: address, model, revision and parameters (by their hash). */
export function generatorIdentity({
  provider,
  model,
  baseUrl,
  named,
  input = {},
}: {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Parts of the model's name, such as a version and a size. */
  readonly named: readonly (string | undefined)[];
  readonly input?: JsonObject | undefined;
}): ModelIdentity {
  const hash = Object.keys(input).length === 0 ? undefined : `input-${keyOf(input).slice(0, 8)}`;
  const revision = [...named, hash].filter((part) => part !== undefined).join("+");
  return { provider, model, ...(revision === "" ? {} : { revision }), baseUrl };
}

/**
 * The bytes at an address that a provider named: http or https, or a data URL, which holds them. No
 * key goes there: the address need not be the provider's own. At most 64 MiB are read.
 *
 * @throws NoAnswer "provider-error" for another kind of address or what is not there, "timeout" or
 *   "rate-limited" as the server says, after four attempts; the signal's reason when it aborts.
 */
async function download(
  url: string,
  options: {
    readonly fetch: typeof globalThis.fetch;
    readonly clock: Clock;
    readonly timeOuts: TimeOuts;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Uint8Array> {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    throw new NoAnswer(
      "provider-error",
      `Expected a web address of an image but received ${short(url)}`,
    );
  }
  const random = randomFrom(randomUUID());
  for (let attempt = 1; ; attempt++) {
    try {
      const { status, bytes } = await exchange({ method: "GET", url, headers: {} }, options);
      if (status >= 200 && status < 300) return bytes;
      throw new CallFailure("status", `HTTP ${status}`, { status });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (attempt < attempts && mayPass(error)) {
        await options.clock.sleep(backoff(attempt, random), options.signal);
        continue;
      }
      const message = `The image at ${short(url)} can't be fetched: ${error.message}`;
      throw new NoAnswer(reasonOf(error), message, { cause: error });
    }
  }
}

/** Addresses of images often carry a signature, which is a key of a sort. */
function short(url: string): string {
  const bare = url.split(/[?#]/, 1)[0] ?? "";
  return bare.length > 120 ? `${bare.slice(0, 120)}…` : bare;
}
