import { z } from "zod";
import type { ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { finalRefusal } from "../http/call-failure.js";
import { replyReader } from "../http/reply-reader.js";
import type { HostedGeneratorOptions } from "../image-generation/hosted-generator.js";
import { imageService } from "../image-generation/image-service.js";

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
 * @throws from `generate`: as `imageService`; NoAnswer "refused" also where the model's filter blackens
 *   the image.
 * @example fal("fal-ai/flux/schnell", { apiKey })
 */
export const fal: (model: string, options?: HostedGeneratorOptions) => ImageGenerator =
  imageService("fal", ({ model, input }) => ({
    begins: true,
    call: ({ prompt, seed }) => ({
      path: model,
      body: { ...input, prompt, seed },
      read: replyReader(submitted, "queued request"),
    }),
    async image({ request_id, status_url, response_url }, { prompt }, { ask, wait, baseUrl }) {
      /** The key goes nowhere but below the base URL. */
      const own = (url: string): string => {
        if (url.startsWith(`${baseUrl}/`)) return url;
        throw new NoAnswer("provider-error", `Expected an address below ${baseUrl} in the reply`);
      };
      const path = own(status_url);
      const end = await wait(async () => {
        const value = await ask({ path, read: replyReader(state, "status"), mayHoldError: true });
        return value.status === "COMPLETED" ? value : undefined;
      });
      if (end.error) {
        throw failed(`${baseUrl}: the request ${request_id}`, [end.error, end.error_type]);
      }
      const read = replyReader(result, "result with an image");
      const value = await ask({ path: own(response_url), read });
      if (value.has_nsfw_concepts?.[0]) {
        throw new NoAnswer("refused", `${baseUrl}: the model's filter blackened the image`);
      }
      const { url } = value.images?.[0] ?? value.image ?? {};
      return {
        ...(url === undefined ? {} : { url }),
        revisedPrompt: value.prompt && value.prompt !== prompt ? value.prompt : undefined,
        reply: { request_id },
      };
    },
  }));

function failed(request: string, said: readonly unknown[]): NoAnswer {
  const words = said.map((one) => (typeof one === "string" ? one : (JSON.stringify(one) ?? "")));
  const text = words.filter((word) => word !== "").join(", ");
  const reason = finalRefusal({ message: text }) === "content" ? "refused" : "provider-error";
  return new NoAnswer(reason, `${request} failed: ${text.slice(0, 300)}`);
}
