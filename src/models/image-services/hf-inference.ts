import { z } from "zod";
import { replyReader } from "../http/reply-reader.js";
import { imageService } from "../image-generation/image-service.js";

/**
 * A generator at Hugging Face's own inference, or at an endpoint of one's own that answers as it does: the
 * reply is the image.
 *
 * @param model `owner/name` on the Hub
 * @throws from `generate`: as `imageService`.
 * @example hfInference("stabilityai/stable-diffusion-xl-base-1.0", { apiKey })
 */
export const hfInference = imageService("hf-inference", ({ model, input }) => ({
  headers: { accept: "image/png" },
  call: ({ prompt, seed }) => ({
    path: model,
    body: { inputs: prompt, parameters: { ...input, seed } },
    read: replyReader(z.object({ image: z.string().min(1) }), "image"),
    ofImage: (bytes) => ({ image: Buffer.from(bytes).toString("base64") }),
  }),
  image: ({ image }) => ({ bytes: Buffer.from(image, "base64"), reply: {} }),
}));
