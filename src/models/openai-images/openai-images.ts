import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import type { ImageGenerator } from "../../core/models.js";
import type { CallFailure } from "../http/call-failure.js";
import { replyReader } from "../http/reply-reader.js";
import { makingOf } from "../image-generation/image-making.js";
import { type ImageServiceOptions, servedImages } from "../image-generation/image-service.js";
import { openAiBaseUrl } from "../openai-compatible/openai-compatible.js";
import { withVersion } from "../openai-compatible/version-path.js";

export interface OpenAiImagesOptions extends ImageServiceOptions {
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
 * @throws from `generate`: as `servedImages`.
 * @example openAiImages("gpt-image-1", { apiKey, size: "1024x1024", quality: "low" })
 */
export function openAiImages(
  model: string,
  { size, quality, input = {}, ...options }: OpenAiImagesOptions = {},
): ImageGenerator {
  const { baseUrl = openAiBaseUrl } = options;
  const isOpenAi = baseUrl.replace(/\/+$/, "") === openAiBaseUrl;
  // OpenAI's newer models always send the image itself, and refuse to be told so.
  const asksForBytes = !isOpenAi || model.startsWith("dall-e");
  const left = new Set<Extra>([
    ...(isOpenAi ? (["seed"] as const) : []),
    ...(asksForBytes ? [] : (["response_format"] as const)),
  ]);
  const sized = size === undefined ? {} : { size };
  return servedImages(
    "openai-images",
    model,
    {
      named: [size, quality],
      input,
      priced: { size, quality },
      calling: (fetch) =>
        withVersion(fetch, baseUrl, (found) =>
          options.tell?.(`${baseUrl}: it answers at ${found}`),
        ),
      call: ({ prompt, seed }) => ({
        path: "images/generations",
        body: {
          ...input,
          model,
          prompt,
          n: 1,
          ...sized,
          ...(quality === undefined ? {} : { quality }),
          ...(left.has("response_format") ? {} : { response_format: "b64_json" }),
          ...(left.has("seed") ? {} : { seed }),
        },
        read: replyReader(schema, "reply with images"),
      }),
      image(value) {
        const { b64_json, url, revised_prompt } = value.data[0] ?? {};
        return {
          ...(b64_json
            ? { bytes: Buffer.from(b64_json.replace(/^data:[^,]*,/, ""), "base64") }
            : {}),
          ...(url ? { url } : {}),
          revisedPrompt: revised_prompt ?? undefined,
          making: makingOf(sized),
          reply: withoutImages(value),
        };
      },
      bill: ({ usage }) => ({
        usage: usage
          ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
          : undefined,
      }),
      callsOtherwise(failure, { body = {} }) {
        const unknown = unknownMember(failure);
        if (unknown === undefined || !Object.hasOwn(Object(body), unknown)) return false;
        left.add(unknown);
        return true;
      },
    },
    options,
  );
}

/** Which of our own additions a server says that it does not understand. */
function unknownMember({ status = 0, message }: CallFailure): Extra | undefined {
  if (![400, 422].includes(status)) return undefined;
  if (/response_?format/i.test(message)) return "response_format";
  return /\bseed\b/i.test(message) ? "seed" : undefined;
}

/** The reply as it is kept: the image stands elsewhere. */
const withoutImages = ({ data, usage }: WireImages): JsonObject => ({
  data: data.map(({ b64_json, revised_prompt }) => ({
    ...(b64_json ? { b64_json: `${b64_json.length} characters` } : {}),
    ...(revised_prompt ? { revised_prompt } : {}),
  })),
  ...(usage ? { usage } : {}),
});
