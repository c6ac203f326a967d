import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import type { CallOptions, GenerationRequest, ImageGenerator } from "../../core/models.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonAnswer } from "../http/json-client.js";
import { replyReader } from "../http/reply-reader.js";
import {
  generatorIdentity,
  type HostedGeneratorOptions,
  ImageProvider,
} from "../image-generation/hosted-generator.js";
import { joinedMaking } from "../image-generation/image-making.js";
import { openAiBaseUrl } from "../openai-compatible/openai-compatible.js";
import { withVersion } from "../openai-compatible/version-path.js";

export interface OpenAiImagesOptions extends HostedGeneratorOptions {
  /** Names a state of the model where its name does not. */
  readonly revision?: string | undefined;
  /** Such as 1024x1024; the provider's own choice where not given. */
  readonly size?: string | undefined;
  /** Such as low or high; the provider's own choice where not given. */
  readonly quality?: string | undefined;
}

const schema = z.object({
  data: z
    .array(
      z.object({
        b64_json: z.string().nullish(),
        url: z.string().nullish(),
        revised_prompt: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({ input_tokens: z.number().min(0), output_tokens: z.number().min(0) })
    .nullish()
    .catch(undefined),
});

type WireImages = z.output<typeof schema>;

/** Members of a request that not every server understands. */
type Extra = "response_format" | "seed";

/**
 * A generator behind OpenAI's wire format for images: OpenAI and whatever speaks as it does. One
 * call makes one image. OpenAI takes no seed; other servers are sent one, and left without it once
 * they have said that they do not know it.
 *
 * @throws from `generate`: NoAnswer "refused" where the provider declines the prompt; "bad-input" for
 *   a request that is turned down; "rate-limited", "timeout" and "provider-error" after the last
 *   attempt or for what is no image. InputError for a wrong key, model or address; IncompleteError
 *   where the provider is down.
 * @example openAiImages("gpt-image-1", { apiKey, size: "1024x1024", quality: "low" })
 */
export function openAiImages(
  model: string,
  { revision, size, quality, input = {}, ...options }: OpenAiImagesOptions = {},
): ImageGenerator {
  const { baseUrl = openAiBaseUrl, keyName = "OPENAI_API_KEY" } = options;
  const provider = new ImageProvider(model, {
    ...options,
    baseUrl,
    keyName,
    calling: (fetch) =>
      withVersion(fetch, baseUrl, (found) => options.tell?.(`${baseUrl}: it answers at ${found}`)),
  });
  const { calls } = provider;
  const isOpenAi = calls.baseUrl === openAiBaseUrl;
  // OpenAI's newer models always send the image itself, and refuse to be told so.
  const asksForBytes = !isOpenAi || model.startsWith("dall-e");
  const left = new Set<Extra>([
    ...(isOpenAi ? (["seed"] as const) : []),
    ...(asksForBytes ? [] : (["response_format"] as const)),
  ]);

  const callOf = ({ prompt, seed }: GenerationRequest) => ({
    path: "images/generations",
    body: {
      ...input,
      model,
      prompt,
      n: 1,
      ...(size === undefined ? {} : { size }),
      ...(quality === undefined ? {} : { quality }),
      ...(left.has("response_format") ? {} : { response_format: "b64_json" }),
      ...(left.has("seed") ? {} : { seed }),
    },
    item: `${seed} ${prompt}`,
    isPaid: true,
    mostBytes: 64 * 2 ** 20,
    read: replyReader(schema, "reply with images"),
  });

  async function send(
    request: GenerationRequest,
    callOptions: CallOptions,
  ): Promise<JsonAnswer<WireImages>> {
    for (;;) {
      const call = callOf(request);
      try {
        return await calls.call(call, callOptions);
      } catch (error) {
        const unknown = unknownMember(error);
        if (unknown === undefined || !(unknown in call.body)) throw error;
        left.add(unknown);
      }
    }
  }

  return {
    identity: generatorIdentity({
      provider: "openai-images",
      model,
      baseUrl: calls.baseUrl,
      named: [revision, size, quality],
      input,
    }),
    answered: (request) => calls.answered(() => callOf(request)),
    async generate(request, callOptions = {}) {
      const { value, attempts } = await provider.during(request.prompt, () =>
        send(request, callOptions),
      );
      const { data, usage } = value;
      const { b64_json, url, revised_prompt } = data[0] ?? {};
      const bytes = b64_json
        ? Buffer.from(b64_json.replace(/^data:[^,]*,/, ""), "base64")
        : undefined;
      return provider.finish(
        {
          ...(bytes === undefined ? {} : { bytes }),
          ...(url ? { url } : {}),
          revisedPrompt: revised_prompt ?? undefined,
          usage: usage
            ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
            : undefined,
          making: joinedMaking({ ...input, ...(size === undefined ? {} : { size }) }),
          attempts,
          reply: withoutImages(value),
        },
        { size, quality },
        callOptions,
      );
    },
  };
}

/** Which of our own additions a server says that it does not understand. */
function unknownMember(error: unknown): Extra | undefined {
  if (!(error instanceof CallFailure) || ![400, 422].includes(error.status ?? 0)) return undefined;
  if (/response_?format/i.test(error.message)) return "response_format";
  return /\bseed\b/i.test(error.message) ? "seed" : undefined;
}

/** The reply as it is kept: the image stands elsewhere. */
const withoutImages = ({ data, usage }: WireImages): JsonObject => ({
  data: data.map(({ b64_json, revised_prompt }) => ({
    ...(b64_json ? { b64_json: `${b64_json.length} characters` } : {}),
    ...(revised_prompt ? { revised_prompt } : {}),
  })),
  ...(usage ? { usage } : {}),
});
