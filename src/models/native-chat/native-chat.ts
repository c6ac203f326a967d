import type { JsonObject } from "../../core/json.js";
import {
  type CallOptions,
  type ChatMessage,
  type ChatReply,
  type ChatRequest,
  imagesOf,
  type Picture,
  turn,
} from "../../core/models.js";
import { noteSent } from "../../core/whole-input.js";
import {
  answerer,
  askedItem,
  chatIdentity,
  defaultLongestSide,
  noLogProbabilities,
  tokenLimits,
  triesWithoutTokens,
} from "../chat/chat-adapter.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonCall, JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { Refusals } from "../http/refusals.js";
import { imageUrl } from "../openai-compatible/image-url.js";
import type { OpenAiCompatible } from "../openai-compatible/openai-compatible.js";
import { instruction, joinedTurns } from "../openai-compatible/request-body.js";
import { costOf, expectedCost, listedPrice, type Price } from "../prices/token-prices.js";

/** A turn as formats of providers take it: words, and images in base64. */
export interface WireTurn {
  readonly role: ChatMessage["role"];
  readonly parts: readonly (
    | { readonly text: string }
    | { readonly mediaType: string; readonly data: string }
  )[];
}

/** A request as far as a format says it. */
export interface NativeRequest extends Omit<ChatRequest, "messages"> {
  readonly turns: readonly WireTurn[];
}

/** How a provider of chat models is reached. */
export interface ChatServer {
  readonly baseUrl: string;
  /** The environment variable that holds its key. */
  readonly keyName: string;
  /** The environment variable that holds another base URL. */
  readonly baseUrlName?: string;
  /** The header that holds the key alone; only formats of one provider have such a one. */
  readonly keyHeader?: string;
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is particular to one provider: how it is reached, and its format. */
export interface NativeFormat extends ChatServer {
  /** Its name in `chatProviders`. */
  readonly name: string;
  /** The header that holds the key alone. */
  readonly keyHeader: string;
  /** Whether the model may give log-probabilities of its tokens. */
  readonly hasLogProbabilities: boolean;
  call(model: string, request: NativeRequest): Pick<JsonCall<unknown>, "path" | "body">;
  /**
   * Makes an answer of a reply: `finish` is "refused" with the reason as the text where it was declined, and
   * `answeredBy` the model that the reply names.
   *
   * @throws CallFailure "faulty-reply" for what is no reply.
   */
  read(json: unknown): ChatReply;
}

export interface NativeChatOptions extends Partial<KeyedClientOptions> {
  /** Shared with other models of the same server; the options above are then its own. */
  readonly client?: JsonClient | undefined;
  readonly revision?: string | undefined;
  /** No side of an image is sent longer than this, in pixels; 1024 where not given. */
  readonly longestSide?: number | undefined;
  /** US dollars for a million tokens, where data/prices.yaml does not say or says wrong. */
  readonly price?: Price | undefined;
}

/**
 * A chat model behind a provider's own format. JSON is asked for in words; where a model thinks before it
 * answers, limits grow until there is room; a temperature that is refused is left out.
 *
 * @throws from `chat`: as `openAiCompatible`; NoAnswer "not-applicable" where log-probabilities were asked
 *   for and there are none.
 */
export function nativeChat(
  format: NativeFormat,
  model: string,
  { client, revision, longestSide = defaultLongestSide, price, ...own }: NativeChatOptions,
): OpenAiCompatible {
  const { keyHeader, headers } = format;
  const keyName = own.keyName ?? format.keyName;
  const calls =
    client ??
    keyedClient({ ...own, baseUrl: own.baseUrl ?? format.baseUrl, keyName, keyHeader, headers });
  const { baseUrl } = calls;
  const known = price ?? listedPrice(baseUrl, model)?.price;
  const refusals = new Refusals(calls, { model, keyName });
  const data = new WeakMap<Picture, Promise<string>>();
  let abilities = { leastTokens: 0, takesTemperature: true };
  let givesLogProbabilities = format.hasLogProbabilities;
  /** Replies without the log-probabilities that were asked for, before the first that had some. */
  let lacking = 0;

  async function wireTurn({ role, parts }: ChatMessage): Promise<WireTurn> {
    const wired = parts.map(async (part) => {
      if (part.type === "text") return { text: part.text };
      const made = data.get(part.image) ?? imageUrl(part.image, longestSide);
      data.set(part.image, made);
      const [, mediaType = "", base64 = ""] = /^data:([^;]*);base64,(.*)$/s.exec(await made) ?? [];
      return { mediaType, data: base64 };
    });
    return { role, parts: await Promise.all(wired) };
  }

  async function callOf(
    request: ChatRequest,
    { leastTokens, takesTemperature }: typeof abilities,
  ): Promise<JsonCall<ChatReply>> {
    const { messages, temperature, maxTokens, answerSchema, ...rest } = request;
    const asked =
      answerSchema === undefined ? [] : [turn("user", instruction(answerSchema.schema))];
    const turns = await Promise.all(joinedTurns([...messages, ...asked]).map(wireTurn));
    return {
      ...format.call(model, {
        ...rest,
        turns,
        ...(answerSchema === undefined ? {} : { answerSchema }),
        ...(temperature === undefined || !takesTemperature ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { maxTokens: Math.max(maxTokens, leastTokens) }),
      }),
      item: askedItem(request),
      read: format.read,
    };
  }

  function note(
    { value, json, attempts }: { value: ChatReply; json: unknown; attempts: number },
    request: ChatRequest,
    trace: CallOptions["trace"],
  ): void {
    const { usage, text } = value;
    const told = costOf(usage, known);
    const expected = known && expectedCost(request, known, { longestSide });
    const said = known && (Math.ceil(text.length / 4) * known.output) / 1e6;
    const cost = told ?? (expected === undefined ? undefined : expected + (said ?? 0));
    trace?.({
      kind: "model-call",
      cached: false,
      baseUrl,
      attempts,
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
      ...(told === undefined && known !== undefined ? { isForecast: true } : {}),
      ...answerer(model, value.answeredBy),
      reply: json as JsonObject,
    });
  }

  async function send(request: ChatRequest, options: CallOptions): Promise<ChatReply> {
    for (;;) {
      const tried = abilities;
      try {
        const answer = await calls.call(await callOf(request, tried), options);
        note(answer, request, options.trace);
        const { finish, text } = answer.value;
        const next = tokenLimits.find((limit) => limit > tried.leastTokens);
        const isShort = request.maxTokens !== undefined && finish === "length" && text === "";
        if (!isShort || next === undefined) return answer.value;
        const leastTokens = Math.max(abilities.leastTokens, next);
        abilities = { ...abilities, leastTokens };
      } catch (error) {
        if (!(error instanceof CallFailure) || error.status !== 400) throw error;
        if (request.topLogProbabilities !== undefined && /log_?-?prob/i.test(error.message)) {
          throw noLogProbabilities(model, baseUrl);
        }
        const isAboutHeat = /temperature/i.test(error.message) && request.temperature !== undefined;
        // Another call may have learned it meanwhile: what this one sent counts.
        if (!isAboutHeat || !tried.takesTemperature) throw error;
        abilities = { ...abilities, takesTemperature: false };
      }
    }
  }

  return {
    identity: chatIdentity({ provider: format.name, model, revision, baseUrl, longestSide }),
    longestSide,
    ...(format.hasLogProbabilities ? {} : { givesLogProbabilities: false }),
    answered: (request) => calls.answered(() => callOf(request, abilities)),
    async chat(request, options = {}) {
      const isProbable = request.topLogProbabilities !== undefined;
      if (isProbable && !givesLogProbabilities) throw noLogProbabilities(model, baseUrl);
      noteSent(options.trace, imagesOf(request), longestSide);
      const value = await refusals.during(askedItem(request), () => send(request, options));
      const { answeredBy: _, ...reply } = value;
      if (isProbable && reply.tokens?.length) lacking = Number.NEGATIVE_INFINITY;
      if (isProbable && reply.finish !== "refused" && !reply.tokens?.length && reply.text !== "") {
        lacking++;
        if (lacking === triesWithoutTokens) {
          givesLogProbabilities = false;
          calls.tell(
            `${model} is asked for no log-probabilities (none came with ${lacking} replies)`,
          );
        }
        throw noLogProbabilities(model, baseUrl);
      }
      return { ...reply, ...answerer(model, value.answeredBy) };
    },
  };
}
