import { z } from "zod";
import type { ChatReply, ChatToken, TokenChoice } from "../../core/models.js";
import { lackAt } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { quoted } from "../../tables/format.js";
import { replyReader } from "../http/reply-reader.js";

// What a log-probability is gets looked at apart: a wrong one is no faulty reply but a faulty answer.
const choice = z.object({ token: z.string(), logprob: z.unknown() });
const token = choice.extend({ top_logprobs: z.array(choice).nullish() });
const schema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
        logprobs: z.object({ content: z.array(token).nullish() }).nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().min(0),
      completion_tokens: z.number().min(0).default(0),
      cost: z.number().min(0).nullish(),
    })
    .nullish()
    .catch(undefined),
  model: z.string().nullish().catch(undefined),
});

/** A reply of `chat/completions`, as far as it is used. */
export type WireReply = z.output<typeof schema>;

/** Checks a reply, as `replyReader` does. */
export const wireReply: (json: unknown) => WireReply = replyReader(schema, "chat reply");

/**
 * @throws NoAnswer "unparsable" where a log-probability is no number of at most 0, or the reply holds
 *   several answers; "provider-error" where it broke off by an error.
 */
export function chatReply({ choices, usage }: WireReply): ChatReply {
  const [first] = choices;
  const { message, finish_reason, logprobs } = first ?? { message: {} };
  if (new Set(choices.map((choice) => choice.message.content)).size > 1) {
    throw new NoAnswer("unparsable", `The reply holds ${choices.length} answers that differ`);
  }
  if (finish_reason === "error") {
    throw new NoAnswer("provider-error", "The reply broke off by an error of the provider's");
  }
  const { refusal } = message;
  const finish = refusal ? "refused" : (finishes[finish_reason ?? "stop"] ?? "other");
  return {
    text: refusal || (message.content ?? ""),
    finish,
    ...(logprobs?.content ? { tokens: logprobs.content.map(chatToken) } : {}),
    ...(usage
      ? { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }
      : {}),
  };
}

const finishes: Readonly<Record<string, ChatReply["finish"]>> = {
  stop: "stop",
  eos: "stop",
  length: "length",
  content_filter: "refused",
  safety: "refused",
};

function chatToken({ top_logprobs, ...said }: z.output<typeof token>): ChatToken {
  const own = tokenChoice(said);
  const others = (top_logprobs ?? []).map(tokenChoice);
  const isAmong = others.some((other) => other.token === own.token);
  return { ...own, alternatives: isAmong ? others : [own, ...others] };
}

/** Rounding makes a certain token a hair more than certain. */
const slack = 1e-4;

function tokenChoice({ token, logprob }: z.output<typeof choice>): TokenChoice {
  if (typeof logprob === "number" && Number.isFinite(logprob) && logprob <= slack) {
    return { token, logProbability: Math.min(0, logprob) };
  }
  throw new NoAnswer(
    "unparsable",
    `Expected a log-probability of at most 0 for the token "${token}" but received ${lackAt(logprob, []) ?? quoted(logprob)}`,
  );
}
