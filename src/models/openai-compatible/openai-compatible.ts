import { randomUUID } from "node:crypto";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type {
  CallOptions,
  ChatModel,
  ChatReply,
  ChatRequest,
  ModelIdentity,
  Picture,
} from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure } from "../http/call-failure.js";
import type { Limits } from "../http/call-limits.js";
import { type Clock, realClock } from "../http/clock.js";
import type { TimeOuts } from "../http/exchange.js";
import { type JsonAnswer, JsonClient } from "../http/json-client.js";
import { corrected, firstGuess } from "./abilities.js";
import { chatReply, type WireReply, wireReply } from "./chat-reply.js";
import { imageUrl } from "./image-url.js";
import { costOf, knownPrice, type Price } from "./prices.js";
import { refusalOf } from "./refusals.js";
import { requestBody } from "./request-body.js";

export const openAiBaseUrl = "https://api.openai.com/v1";
const defaultKeyName = "OPENAI_API_KEY";
const defaultLongestSide = 1024;

export interface OpenAiClientOptions {
  /** Where the server's API begins, such as http://localhost:8000/v1; OpenAI's where not given. */
  readonly baseUrl?: string | undefined;
  /** Servers on this machine mostly need none. */
  readonly apiKey?: string | undefined;
  /** The environment variable that holds the key, for messages; empty where none is foreseen. */
  readonly keyName?: string | undefined;
  /** 16 calls at once where not given, and no limit by minute. */
  readonly limits?: Partial<Limits> | undefined;
  /** Milliseconds; 120,000 for a whole attempt and 60,000 without a byte where not given. */
  readonly timeOuts?: Partial<TimeOuts> | undefined;
  /** How often a call is made at most; 6 where not given. */
  readonly attempts?: number | undefined;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/**
 * The way to one server, with its limits: models that share it stay within them together.
 *
 * @throws InputError for a base URL or a key that can't be sent.
 */
export function openAiClient({
  baseUrl = openAiBaseUrl,
  apiKey,
  keyName = defaultKeyName,
  limits,
  timeOuts,
  attempts = 6,
  fetch = globalThis.fetch,
  clock = realClock,
}: OpenAiClientOptions = {}): JsonClient {
  const key = apiKey?.trim() ?? "";
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new InputError(`Expected a key of letters, digits and signs in ${keyName}`);
  }
  return new JsonClient({
    baseUrl: checkBaseUrl(baseUrl),
    headers: key === "" ? {} : { authorization: `Bearer ${key}` },
    secrets: key.length < 6 ? [] : [{ name: keyName, value: key }],
    limits: { concurrency: 16, ...limits },
    timeOuts: { total: 120_000, stall: 60_000, ...timeOuts },
    attempts,
    fetch,
    clock,
    random: randomFrom(randomUUID()),
  });
}

export interface OpenAiCompatibleOptions extends OpenAiClientOptions {
  /** Shared with other models of the same server; the options above are then its own. */
  readonly client?: JsonClient | undefined;
  /** Names a state of the model where its name does not. */
  readonly revision?: string | undefined;
  /** No side of an image is sent longer than this, in pixels; 1024 where not given. */
  readonly longestSide?: number | undefined;
  /** What a million tokens cost in US dollars, where data/prices.yaml does not say or says wrong. */
  readonly price?: Price | undefined;
}

/**
 * A chat model behind OpenAI's wire format: OpenAI, vLLM, SGLang, llama.cpp, Ollama, OpenRouter and
 * others. What a server does not understand (a JSON Schema, a seed, a name of a limit) is left out
 * once it has said so.
 *
 * Each call is noted in `options.trace`: the reply as it came, tokens, US dollars where the price is
 * known, and the attempts that failed.
 *
 * @throws from `chat`: NoAnswer "refused" is left to the reply's `finish`, unless the provider turned
 *   the request down; "unparsable" for log-probabilities that are none; "not-applicable" where
 *   log-probabilities were asked for and the model has none; "rate-limited", "timeout" and
 *   "provider-error" after the last attempt; "bad-input" for a request that is refused. InputError
 *   for a wrong key, model or address; IncompleteError where the provider is down.
 * @example openAiCompatible("Qwen/Qwen2.5-VL-7B-Instruct", { baseUrl: "http://localhost:8000/v1" })
 */
export function openAiCompatible(
  model: string,
  {
    client,
    revision,
    longestSide = defaultLongestSide,
    price,
    ...own
  }: OpenAiCompatibleOptions = {},
): ChatModel {
  const calls = client ?? openAiClient(own);
  const { baseUrl } = calls;
  const known = price ?? knownPrice(baseUrl, model);
  const urls = new WeakMap<Picture, Promise<string>>();
  let abilities = firstGuess(baseUrl === openAiBaseUrl);
  let hasSwitchedName = false;

  const urlOf = (image: Picture) => {
    const made = urls.get(image) ?? imageUrl(image, longestSide);
    urls.set(image, made);
    return made;
  };

  /** Sends what the model understands; what it refuses is learned and left out. */
  async function send(request: ChatRequest, options: CallOptions): Promise<JsonAnswer<WireReply>> {
    for (;;) {
      const tried = abilities;
      if (request.topLogProbabilities !== undefined && tried.mostAlternatives === 0) {
        throw noLogProbabilities(model, baseUrl);
      }
      const body = await requestBody(request, { model, abilities: tried, imageUrl: urlOf });
      const tokens = estimatedTokens(request);
      try {
        const answer = await calls.call(
          { path: "chat/completions", body, read: wireReply, tokens },
          options,
        );
        const { usage } = answer.value;
        if (usage) calls.used(usage.prompt_tokens + usage.completion_tokens, tokens);
        return answer;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const isAboutForm = error.status === 400 || error.status === 422;
        const next = isAboutForm
          ? corrected(tried, error.message, { request, hasSwitchedName })
          : undefined;
        // Another call may have learned the same in the meantime: then that is tried first.
        if (next === undefined && abilities === tried) {
          const { keyName = defaultKeyName } = own;
          throw refusalOf(error, { model, baseUrl, keyName, hasKey: calls.hasKey });
        }
        if (next === undefined || abilities !== tried) continue;
        hasSwitchedName ||= next.maxTokensName !== tried.maxTokensName;
        abilities = next;
        options.trace?.({ kind: "left-out", problem: error.message });
      }
    }
  }

  return {
    identity: identityOf({ model, revision, baseUrl, longestSide }),
    async chat(request, options = {}): Promise<ChatReply> {
      const { value, json, attempts } = await send(request, options);
      const usage = value.usage
        ? { inputTokens: value.usage.prompt_tokens, outputTokens: value.usage.completion_tokens }
        : undefined;
      const cost = value.usage?.cost ?? costOf(usage, known);
      options.trace?.({
        kind: "model-call",
        cached: false,
        baseUrl,
        attempts,
        ...(usage === undefined ? {} : { usage }),
        ...(cost === undefined ? {} : { cost }),
        reply: json as JsonObject,
      });
      const reply = chatReply(value);
      if (request.topLogProbabilities === undefined || reply.finish === "refused") return reply;
      if (reply.tokens !== undefined) return reply;
      throw noLogProbabilities(model, baseUrl);
    },
  };
}

const noLogProbabilities = (model: string, baseUrl: string) =>
  new NoAnswer(
    "not-applicable",
    `${model} at ${baseUrl} gives no log-probabilities of its tokens. Choose a model or server that ` +
      "does, or ask for sampled answers or a verbalized probability (yesNo in the settings)",
  );

function identityOf({
  model,
  revision,
  baseUrl,
  longestSide,
}: {
  readonly model: string;
  readonly revision: string | undefined;
  readonly baseUrl: string;
  readonly longestSide: number;
}): ModelIdentity {
  const size = longestSide === defaultLongestSide ? undefined : `side-${longestSide}`;
  const named = [revision, size].filter((part) => part !== undefined).join("+");
  return {
    provider: "openai-compatible",
    model,
    ...(named === "" ? {} : { revision: named }),
    baseUrl,
  };
}

/** About four characters a token, and what an image of middle size takes. */
function estimatedTokens({ messages, maxTokens = 256 }: ChatRequest): number {
  const parts = messages.flatMap((message) => message.parts);
  const sizes = parts.map((part) => (part.type === "text" ? part.text.length / 4 : 800));
  return Math.ceil(sizes.reduce((sum, size) => sum + size, maxTokens));
}

/** Goes into records and messages, so nothing secret may stand in it. */
function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!isWeb) {
    throw new InputError(
      `Expected a base URL such as http://localhost:8000/v1 but received "${text}"`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new InputError(
      "Expected a base URL without user, password, ? and # but received one with",
      {
        hint: "It is written into records. Keys come from the environment.",
      },
    );
  }
  return url.href.replace(/\/+$/, "");
}
