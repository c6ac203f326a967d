import { z } from "zod";
import { NoAnswer } from "../../core/unscored.js";
import { replyReader } from "../http/reply-reader.js";
import { imageService } from "../image-generation/image-service.js";
import { billIn, usageIn, wireUsage } from "../openai-compatible/reply-usage.js";

const image = z.looseObject({
  image_url: z.union([z.string(), z.object({ url: z.string() })]).nullish(),
});
const text = z.looseObject({ text: z.string().nullish() });

const schema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([z.string(), z.array(z.intersection(image, text))]).nullish(),
          images: z.array(image).nullish(),
          refusal: z.string().nullish().catch(undefined),
        }),
        finish_reason: z.string().nullish().catch(undefined),
        native_finish_reason: z.string().nullish().catch(undefined),
      }),
    )
    .min(1),
  usage: wireUsage,
});
type Message = z.output<typeof schema>["choices"][number]["message"];

/**
 * A generator behind chat/completions whose message holds images (OpenRouter, Vercel's gateway, LiteLLM and
 * others). The first image is taken; an answer without one is a refusal, in the model's words.
 *
 * @param model as the server calls it; `input` is sent beside the messages, such as `image_config`
 * @throws from `generate`: as `imageService`.
 * @example chatImages("google/gemini-2.5-flash-image", { apiKey })
 */
export const chatImages = imageService("chat-images", ({ model, input }) => ({
  call: ({ prompt, seed }) => ({
    path: "chat/completions",
    body: {
      modalities: ["image", "text"],
      ...input,
      model,
      seed,
      messages: [{ role: "user", content: prompt }],
    },
    read: replyReader(schema, "chat reply"),
  }),
  image({ choices: [choice] }, _, { baseUrl }) {
    const { message = {}, finish_reason, native_finish_reason } = choice ?? {};
    const ended = native_finish_reason ?? finish_reason ?? "stop";
    const isFiltered = filters.test(`${finish_reason} ${native_finish_reason}`);
    const words = message.refusal ?? textOf(message);
    const url = urlIn(message);
    if (message.refusal || isFiltered || url === undefined) {
      const isRefused = message.refusal || isFiltered || words !== "";
      const said = [`no image, ended as ${ended}`, words.slice(0, 300)].filter(Boolean);
      const reason = isRefused ? "refused" : "provider-error";
      throw new NoAnswer(reason, `${baseUrl}: ${said.join(": ")}`);
    }
    return { url, reply: { finish_reason: ended } };
  },
  bill({ usage }, { prompt }) {
    const cost = billIn(usage, false);
    return {
      usage: usageIn(usage, { asked: prompt.length, said: 0 }),
      ...(cost === undefined ? {} : { cost }),
    };
  },
}));

/** Endings by a filter, a provider's own or a router's. */
const filters = /filter|safety|prohibited|recitation|block_?list|spii|no_image|moderat|policy/i;

const partsOf = ({ content }: Message) => (Array.isArray(content) ? content : []);

const textOf = (message: Message): string =>
  typeof message.content === "string"
    ? message.content.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "").trim()
    : partsOf(message)
        .map((part) => part.text ?? "")
        .join("");

/** An image beside the text, as a part of it, or within it as Markdown. */
function urlIn(message: Message): string | undefined {
  const listed = [...(message.images ?? []), ...partsOf(message)].map(({ image_url: one }) =>
    typeof one === "string" ? one : one?.url,
  );
  const written =
    typeof message.content === "string"
      ? /!\[[^\]]*\]\((data:image\/[^)\s]+|https?:[^)\s]+)\)/.exec(message.content)?.[1]
      : undefined;
  return listed.find(Boolean) ?? written;
}
