import type { JsonObject } from "../../core/json.js";
import {
  type CallOptions,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  imagesOf,
  type Picture,
} from "../../core/models.js";
import { noteSent } from "../../core/whole-input.js";
import {
  answerer,
  askedItem,
  chatIdentity,
  defaultLongestSide,
  noLogProbabilities,
  triesWithoutTokens,
} from "../chat/chat-adapter.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonAnswer, JsonCall, JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { Refusals } from "../http/refusals.js";
import { costOf, expectedCost, listedPrice, type Price } from "../prices/token-prices.js";
import { type Abilities, corrected, firstGuess, newlyKnown, withMoreTokens } from "./abilities.js";
import {
  chatReply,
  endsInThought,
  lengthOf,
  streamedReply,
  usageOf,
  type WireReply,
  wireReply,
} from "./chat-reply.js";
import { imageUrl } from "./image-url.js";
import { billIn } from "./reply-usage.js";
import { requestBody } from "./request-body.js";
import { withVersion } from "./version-path.js";

export const openAiBaseUrl = "https://api.openai.com/v1";
export const openAiKeyName = "OPENAI_API_KEY";

export type OpenAiClientOptions = Partial<KeyedClientOptions>;

/**
 * The way to one server, with its limits: models that share it stay within them together.
 *
 * @throws InputError for a base URL or a key that can't be sent.
 */
export const openAiClient = ({
  baseUrl = openAiBaseUrl,
  keyName = openAiKeyName,
  fetch = globalThis.fetch,
  ...options
}: OpenAiClientOptions = {}): JsonClient =>
  keyedClient({
    ...options,
    baseUrl,
    keyName,
    fetch: withVersion(fetch, baseUrl, (found) =>
      options.tell?.(`${baseUrl}: it answers at ${found}`),
    ),
  });

export interface OpenAiCompatibleOptions extends OpenAiClientOptions {
  /** Shared with other models of the same server; the options above are then its own. */
  readonly client?: JsonClient | undefined;
  /** Names a state of the model where its name does not. */
  readonly revision?: string | undefined;
  /** No side of an image is sent longer than this, in pixels; 1024 where not given. */
  readonly longestSide?: number | undefined;
  /** The price of a million tokens in US dollars, where data/prices.yaml does not say or says wrong. */
  readonly price?: Price | undefined;
}

export interface OpenAiCompatible extends ChatModel {
  /** Remembers a request that was answered before: it tells a server that is down from one that takes not all. */
  answered(request: ChatRequest): void;
}

/**
 * A chat model behind OpenAI's wire format: OpenAI, vLLM, SGLang, llama.cpp, Ollama, OpenRouter and
 * others. What a server does not understand (a JSON Schema, a seed, a name of a limit) is left out
 * once it has said so.
 *
 * Each call is noted in `options.trace`: the reply as it came, tokens, US dollars where the price is
 * known (`isForecast` where the server's count of tokens is missing or can't be true), and the attempts that
 * failed.
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
): OpenAiCompatible {
  const calls = client ?? openAiClient(own);
  const { baseUrl } = calls;
  const known = price ?? listedPrice(baseUrl, model)?.price;
  const urls = new WeakMap<Picture, Promise<string>>();
  let abilities = firstGuess(baseUrl === openAiBaseUrl);
  let hasSwitchedName = false;
  const refusals = new Refusals(calls, { model, keyName: own.keyName ?? openAiKeyName });
  /** Replies without the log-probabilities that were asked for, before the first that had some. */
  let lacking = 0;

  const urlOf = (image: Picture) => {
    const made = urls.get(image) ?? imageUrl(image, longestSide);
    urls.set(image, made);
    return made;
  };

  /** What is left out is said once for the model, and noted where it was found out. */
  function learn(next: Abilities, problem: string, options: CallOptions): void {
    const said = newlyKnown(abilities, next);
    if (said !== undefined) calls.tell(`${model} is asked for ${said} (${problem})`);
    hasSwitchedName ||= next.maxTokensName !== abilities.maxTokensName;
    abilities = next;
    options.trace?.({ kind: "left-out", problem });
  }

  const said = new Set<string>();
  /** Says once what a reply showed of the server. */
  function tellOnce(text: string): void {
    if (!said.has(text)) calls.tell(text);
    said.add(text);
  }

  /** Whoever answers is named by the reply alone; a local server answers with what it has loaded. */
  function answererOf({ model: named }: WireReply): Pick<ChatReply, "answeredBy" | "snapshot"> {
    const found = answerer(model, named);
    if (found.snapshot !== undefined) tellOnce(`${model} answers as ${found.snapshot}`);
    return found;
  }

  /** What a call will have cost, where the server's count is missing or can't be true. */
  const forecast = (request: ChatRequest, value: WireReply) =>
    known &&
    expectedCost(request, known, { longestSide }) +
      (Math.ceil(lengthOf(value) / 4) * known.output) / 1e6;

  /** Notes a reply and what it cost, also one that can't be used. */
  function note(
    { value, json, attempts }: JsonAnswer<WireReply>,
    request: ChatRequest,
    options: CallOptions,
  ): void {
    const usage = usageOf(value, askedLength(request));
    const isPriced = known !== undefined && known.input + known.output > 0;
    const told = billIn(value.usage, isPriced) ?? costOf(usage, known);
    const cost = told ?? forecast(request, value);
    const isForecast = told === undefined && isPriced;
    if (isForecast) {
      tellOnce(
        `a reply of ${model} has no count of tokens that can be true; the cost of such calls is a forecast`,
      );
    }
    options.trace?.({
      kind: "model-call",
      cached: false,
      baseUrl,
      attempts,
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
      ...(isForecast ? { isForecast } : {}),
      ...answererOf(value),
      reply: json as JsonObject,
    });
  }

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
        const answer = await calls.call({ ...callOf(request, body), tokens }, options);
        const usage = usageOf(answer.value, askedLength(request));
        if (usage) calls.used(usage.inputTokens + usage.outputTokens, tokens);
        note(answer, request, options);
        const isShort = request.maxTokens !== undefined && endsInThought(answer.value);
        const next = isShort ? withMoreTokens(tried) : undefined;
        if (next === undefined) return answer;
        if (abilities === tried) learn(next, "an answer ended by its length in thought", options);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const { status, message } = error;
        const isAboutForm = status === 400 || status === 422 || deniesLogProbabilities(error);
        const next = isAboutForm
          ? corrected(tried, message, { request, hasSwitchedName })
          : undefined;
        // Another call may have learned the same in the meantime: then that is tried first.
        if (next === undefined && abilities === tried) throw error;
        if (next === undefined || abilities !== tried) continue;
        learn(next, message, options);
      }
    }
  }

  return {
    identity: chatIdentity({
      provider: "openai-compatible",
      model,
      revision,
      baseUrl,
      longestSide,
    }),
    longestSide,
    answered(request) {
      calls.answered(async () =>
        callOf(request, await requestBody(request, { model, abilities, imageUrl: urlOf })),
      );
    },
    async chat(request, options = {}): Promise<ChatReply> {
      noteSent(options.trace, imagesOf(request), longestSide);
      const { value } = await refusals.during(askedItem(request), () => send(request, options));
      const reply = { ...chatReply(value), ...answererOf(value) };
      if (request.topLogProbabilities === undefined || reply.finish === "refused") return reply;
      if (reply.tokens !== undefined) {
        lacking = Number.NEGATIVE_INFINITY;
        return reply;
      }
      if (reply.text.trim() === "") return reply;
      lacking++;
      if (lacking === triesWithoutTokens) {
        learn({ ...abilities, mostAlternatives: 0 }, `none came with ${lacking} replies`, options);
      }
      throw noLogProbabilities(model, baseUrl);
    },
  };
}

const callOf = (request: ChatRequest, body: unknown): JsonCall<WireReply> => ({
  path: "chat/completions",
  item: askedItem(request),
  body,
  read: wireReply,
  ofStream: streamedReply,
});

/** Characters of the words of a request. */
const askedLength = ({ messages }: ChatRequest) =>
  messages
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);

/** OpenAI says 403 of models that may not be asked for them. */
const deniesLogProbabilities = ({ status, message }: CallFailure) =>
  status === 403 && /log_?-?prob/i.test(message) && /\b(not|unsupported|denied)\b/i.test(message);

/** About four characters a token, and what an image of middle size takes. */
function estimatedTokens({ messages, maxTokens = 256 }: ChatRequest): number {
  const parts = messages.flatMap((message) => message.parts);
  const sizes = parts.map((part) => (part.type === "text" ? part.text.length / 4 : 800));
  return Math.ceil(sizes.reduce((sum, size) => sum + size, maxTokens));
}
