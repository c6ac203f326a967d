import { z } from "zod";
import type { ChatReply, ChatToken, TokenChoice } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure } from "../http/call-failure.js";

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

/** @throws CallFailure "faulty-reply" where it is not one. */
export function wireReply(json: unknown): WireReply {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
  throw new CallFailure("faulty-reply", `no chat reply: ${where}: ${issue?.message}`);
}

/** @throws NoAnswer "unparsable" where a log-probability is no number of at most 0. */
export function chatReply({ choices: [first], usage }: WireReply): ChatReply {
  const { message, finish_reason, logprobs } = first ?? { message: {} };
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
    `Expected a log-probability of at most 0 for the token "${token}" but received ${logprob}`,
  );
}
