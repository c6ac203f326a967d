import type { JsonObject } from "../../core/json.js";
import type {
  CallOptions,
  ChatModel,
  ChatReply,
  ChatRequest,
  ModelIdentity,
  Picture,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonAnswer, JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { refusalOf } from "../http/refusals.js";
import { costOf, listedPrice, type Price } from "../prices/token-prices.js";
import { corrected, firstGuess } from "./abilities.js";
import { chatReply, type WireReply, wireReply } from "./chat-reply.js";
import { imageUrl } from "./image-url.js";
import { requestBody } from "./request-body.js";

export const openAiBaseUrl = "https://api.openai.com/v1";
const defaultKeyName = "OPENAI_API_KEY";
const defaultLongestSide = 1024;

export type OpenAiClientOptions = Partial<KeyedClientOptions>;

/**
 * The way to one server, with its limits: models that share it stay within them together.
 *
 * @throws InputError for a base URL or a key that can't be sent.
 */
export const openAiClient = ({
  baseUrl = openAiBaseUrl,
  keyName = defaultKeyName,
  ...options
}: OpenAiClientOptions = {}): JsonClient => keyedClient({ ...options, baseUrl, keyName });

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
  const known = price ?? listedPrice(baseUrl, model)?.price;
  const urls = new WeakMap<Picture, Promise<string>>();
  let abilities = firstGuess(baseUrl === openAiBaseUrl);
  let hasSwitchedName = false;
  let hasAnswered = false;

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
        hasAnswered = true;
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
          throw refusalOf(error, { model, baseUrl, keyName, hasKey: calls.hasKey, hasAnswered });
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
