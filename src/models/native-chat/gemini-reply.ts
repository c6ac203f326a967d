import { z } from "zod";
import type { ChatReply } from "../../core/models.js";
import { CallFailure } from "../http/call-failure.js";
import { replyReader } from "../http/reply-reader.js";

const count = z.number().min(0).nullish().catch(undefined);

const part = z.looseObject({
  text: z.string().nullish(),
  /** Whether it is of the thought before the answer. */
  thought: z.boolean().nullish(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).nullish(),
});

const choice = z.object({ token: z.string(), logProbability: z.number() });

const schema = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(part).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        finishMessage: z.string().nullish().catch(undefined),
        logprobsResult: z
          .object({
            chosenCandidates: z.array(choice),
            topCandidates: z.array(z.object({ candidates: z.array(choice) })),
          })
          .nullish()
          .catch(undefined),
      }),
    )
    .nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z
    .object({
      promptTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      totalTokenCount: count,
    })
    .nullish()
    .catch(undefined),
  modelVersion: z.string().max(300).nullish().catch(undefined),
});

/** A reply of `generateContent`, as far as it is used. */
export type GeminiReply = z.output<typeof schema>;
type Part = z.output<typeof part>;

const read = replyReader(schema, "reply of generateContent");

/** Checks a reply, as `replyReader` does: one with neither candidates nor a reason why they are blocked is faulty. */
export function geminiReply(json: unknown): GeminiReply {
  const reply = read(json);
  if (reply.candidates?.length || reply.promptFeedback?.blockReason) return reply;
  throw new CallFailure("faulty-reply", "no reply of generateContent: no candidates", {
    isBilled: true,
  });
}

/** Parts of the answer, without those of the thought. */
export const answerParts = ({ candidates }: GeminiReply): Part[] =>
  (candidates?.[0]?.content?.parts ?? []).filter(({ thought }) => !thought);

/** Why there is no answer: the names of filters, of the prompt or of what was made; `undefined` where there is no such reason. */
export function refusalOf({ candidates, promptFeedback }: GeminiReply): string | undefined {
  const { finishReason, finishMessage } = candidates?.[0] ?? {};
  const blocked = promptFeedback?.blockReason;
  const name = blocked ?? (refusals.test(finishReason ?? "") ? finishReason : undefined);
  return name == null ? undefined : [name, finishMessage].filter(Boolean).join(": ");
}

const refusals = /SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|NO_IMAGE/;

/** Tokens that are billed, the thought among those of the answer; `undefined` where they are not said in whole numbers. */
export function geminiUsage({ usageMetadata }: GeminiReply): ChatReply["usage"] {
  const { promptTokenCount: input, candidatesTokenCount, thoughtsTokenCount } = usageMetadata ?? {};
  const counted = (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0);
  const output = Math.max(counted, (usageMetadata?.totalTokenCount ?? 0) - (input ?? 0));
  return input && Number.isInteger(input) && Number.isInteger(output)
    ? { inputTokens: input, outputTokens: output }
    : undefined;
}
