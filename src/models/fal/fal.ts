import { z } from "zod";
import type { CallOptions, GenerationRequest, ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { finalRefusal } from "../http/final-refusal.js";
import { replyReader } from "../http/reply-reader.js";
import {
  generatorIdentity,
  type HostedGeneratorOptions,
  ImageProvider,
} from "../image-generation/hosted-generator.js";

const submitted = z.object({
  request_id: z.string().min(1),
  status_url: z.string(),
  response_url: z.string(),
});

const state = z.object({
  status: z.enum(["IN_QUEUE", "IN_PROGRESS", "COMPLETED"]),
  error: z.unknown().optional(),
  error_type: z.unknown().optional(),
});

const image = z.object({ url: z.string() });
const result = z
  .object({
    images: z.array(image).optional(),
    image: image.optional(),
    has_nsfw_concepts: z.array(z.boolean()).nullish().catch(undefined),
    prompt: z.string().nullish().catch(undefined),
  })
  .refine(
    (value) => value.image !== undefined || (value.images ?? []).length > 0,
    "holds no image",
  );

/**
 * A generator at fal, by its queue: submitted, asked after until it is done, and fetched. The first
 * image is taken.
 *
 * @param model its whole id, such as `fal-ai/flux/schnell`
 * @throws from `generate`: NoAnswer "refused" where the model's filter declines or blackens the image;
 *   "provider-error" for a request that failed; otherwise as `openAiImages`.
 * @example fal("fal-ai/flux/schnell", { apiKey })
 */
export function fal(
  model: string,
  { input = {}, ...options }: HostedGeneratorOptions = {},
): ImageGenerator {
  const { baseUrl = "https://queue.fal.run", keyName = "FAL_KEY" } = options;
  const provider = new ImageProvider(model, { ...options, baseUrl, keyName, scheme: "Key" });
  const { calls } = provider;

  /** The path below the base URL of an address that a reply names: the key goes nowhere else. */
  const pathOf = (url: string): string => {
    if (url.startsWith(`${calls.baseUrl}/`)) return url.slice(calls.baseUrl.length + 1);
    throw new NoAnswer("provider-error", `Expected an address below ${calls.baseUrl} in the reply`);
  };

  const callOf = ({ prompt, seed }: GenerationRequest) => ({
    path: model,
    body: { ...input, prompt, seed },
    item: `${seed} ${prompt}`,
    read: replyReader(submitted, "queued request"),
  });

  async function made(asked: GenerationRequest, callOptions: CallOptions) {
    const { value: request, attempts } = await calls.call(callOf(asked), callOptions);
    const path = pathOf(request.status_url);
    const end = await provider.wait(async () => {
      const asked = { path, read: replyReader(state, "status"), mayHoldError: true };
      const { value } = await calls.call(asked, callOptions);
      return value.status === "COMPLETED" ? value : undefined;
    }, callOptions);
    if (end.error) throw failed(request.request_id, [end.error, end.error_type]);
    const { value } = await calls.call(
      { path: pathOf(request.response_url), read: replyReader(result, "result with an image") },
      callOptions,
    );
    return { id: request.request_id, value, attempts };
  }

  const failed = (id: string, said: readonly unknown[]) => {
    const words = said.map((one) => (typeof one === "string" ? one : (JSON.stringify(one) ?? "")));
    const text = words.filter((word) => word !== "").join(", ");
    const reason = finalRefusal({ message: text }) === "content" ? "refused" : "provider-error";
    return new NoAnswer(
      reason,
      `${calls.baseUrl}: the request ${id} failed: ${text.slice(0, 300)}`,
    );
  };

  return {
    identity: generatorIdentity({
      provider: "fal",
      model,
      baseUrl: calls.baseUrl,
      named: [],
      input,
    }),
    answered: (request) => calls.answered(() => callOf(request)),
    async generate(request, callOptions = {}) {
      const { prompt } = request;
      const { id, value, attempts } = await provider.during(prompt, () =>
        made(request, callOptions),
      );
      if (value.has_nsfw_concepts?.[0]) {
        throw new NoAnswer("refused", `${calls.baseUrl}: the model's filter blackened the image`);
      }
      const { url } = value.images?.[0] ?? value.image ?? {};
      return provider.finish(
        {
          ...(url === undefined ? {} : { url }),
          revisedPrompt: value.prompt && value.prompt !== prompt ? value.prompt : undefined,
          attempts,
          reply: { request_id: id },
        },
        {},
        callOptions,
      );
    },
  };
}
