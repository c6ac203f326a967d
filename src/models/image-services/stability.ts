import { z } from "zod";
import { NoAnswer } from "../../core/unscored.js";
import { replyReader } from "../http/reply-reader.js";
import { imageService } from "../image-generation/image-service.js";

const schema = z.object({
  image: z.string().min(1),
  finish_reason: z.string().nullish(),
  seed: z.coerce.number().nullish().catch(undefined),
});

/**
 * A generator of Stability AI (v2beta, stable-image/generate): JSON is asked for, and image bytes with
 * their headers are understood as well.
 *
 * @param model `core`, `ultra`, or a model of Stable Diffusion 3, such as `sd3.5-large`
 * @throws from `generate`: as `imageService`; NoAnswer "refused" also for an image that the filter blurred.
 * @example stability("core", { apiKey, input: { aspect_ratio: "1:1" } })
 */
export const stability = imageService("stability", ({ model, input }) => ({
  headers: { accept: "application/json" },
  call: ({ prompt, seed }) => ({
    path: `stable-image/generate/${/^sd3/.test(model) ? "sd3" : model}`,
    form: {
      output_format: "png",
      ...(/^sd3/.test(model) ? { model } : {}),
      ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, `${value}`])),
      prompt,
      seed: String(sentSeed(seed)),
    },
    read: replyReader(schema, "reply with an image"),
    ofImage: (bytes, headers) => ({
      image: Buffer.from(bytes).toString("base64"),
      finish_reason: headers.get("finish-reason"),
      seed: headers.get("seed"),
    }),
  }),
  image({ image, finish_reason, seed: used }, { seed }) {
    const reason = finish_reason ?? "SUCCESS";
    if (reason !== "SUCCESS") {
      const isFilter = /filter/i.test(reason);
      throw new NoAnswer(isFilter ? "refused" : "provider-error", `It ended as ${reason}`);
    }
    if (used != null && used !== sentSeed(seed)) {
      throw new NoAnswer("provider-error", `It was made with the seed ${used}, not ${seed}`);
    }
    return {
      bytes: Buffer.from(image, "base64"),
      reply: { finish_reason: reason, seed: used ?? null },
    };
  },
}));

/** 0 asks for any seed; the largest that is taken stands for it. */
const sentSeed = (seed: number): number => (seed === 0 ? 4_294_967_294 : seed);
