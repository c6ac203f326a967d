import { NoAnswer } from "../../core/unscored.js";
import { imageService } from "../image-generation/image-service.js";
import { answerParts, geminiReply, geminiUsage, refusalOf } from "../native-chat/gemini-reply.js";

/**
 * A generator of Gemini by `generateContent`, which answers with parts of text and images. The first image
 * that is none of its thought is taken. An answer without an image is a refusal, in the model's words.
 *
 * @param model such as `gemini-2.5-flash-image`; `input` goes into `generationConfig`
 * @throws from `generate`: as `imageService`.
 * @example geminiImages("gemini-2.5-flash-image", { apiKey, input: { imageConfig: { aspectRatio: "1:1" } } })
 */
export const geminiImages = imageService("gemini-images", ({ model, input }) => ({
  call: ({ prompt, seed }) => ({
    path: `models/${model}:generateContent`,
    body: {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"], ...input, seed },
    },
    read: geminiReply,
  }),
  image(reply, _, { baseUrl }) {
    const parts = answerParts(reply);
    const image = parts.find(({ inlineData }) => inlineData?.mimeType.startsWith("image/"));
    const refusal = refusalOf(reply);
    if (refusal !== undefined) throw new NoAnswer("refused", `${baseUrl}: ${refusal}`);
    const reason = reply.candidates?.[0]?.finishReason ?? "STOP";
    if (image === undefined) {
      const words = parts.map(({ text }) => text ?? "").join("");
      const said = [`no image, ended as ${reason}`, words.slice(0, 300)].filter(Boolean);
      const isRefusal = reason === "STOP" && words !== "";
      throw new NoAnswer(
        isRefusal ? "refused" : "provider-error",
        `${baseUrl}: ${said.join(": ")}`,
      );
    }
    return {
      bytes: Buffer.from(image.inlineData?.data ?? "", "base64"),
      reply: { finishReason: reason, modelVersion: reply.modelVersion ?? null },
    };
  },
  bill: (reply) => ({ usage: geminiUsage(reply) }),
}));
