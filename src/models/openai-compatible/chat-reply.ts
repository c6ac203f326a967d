import { z } from "zod";
import type { ChatReply, ChatToken, TokenChoice } from "../../core/models.js";
import { lackAt } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { quoted } from "../../tables/format.js";
import { saidTokens, withoutThought } from "../chat/said-text.js";
import { CallFailure, finalRefusal } from "../http/call-failure.js";
import { errorBody } from "../http/error-body.js";
import { replyReader } from "../http/reply-reader.js";
import { usageIn, wireUsage } from "./reply-usage.js";

// Log-probabilities are checked later: a wrong one spoils the answer, not the whole reply.
const choice = z.object({ token: z.string(), logprob: z.unknown() });
type Choice = z.output<typeof choice>;
const byName = z
  .record(z.string(), z.unknown())
  .transform((each): Choice[] =>
    Object.entries(each).map(([token, logprob]) => ({ token, logprob })),
  );
const alternatives = z.union([z.array(choice), byName]).nullish();
const token = choice.extend({ top_logprobs: alternatives });
const lists = z
  .object({
    tokens: z.array(z.string()),
    token_logprobs: z.array(z.unknown()),
    top_logprobs: z.array(alternatives).nullish(),
  })
  .transform(({ tokens, token_logprobs, top_logprobs }) => ({
    content: tokens.map((said, at) => ({
      token: said,
      logprob: token_logprobs[at],
      top_logprobs: top_logprobs?.[at],
    })),
  }));

/** A token with its alternatives, as they stand in a reply. */
type WireToken = z.output<typeof token>;

/**
 * Reads the log-probabilities of a reply's tokens in the layouts that servers use: a list of tokens (OpenAI's
 * chat), parallel lists (OpenAI's older completions, Together), alternatives in a list or by name. Any other
 * layout gives none.
 */
const wireLogProbs = z
  .union([
    lists,
    z.array(token).transform((content) => ({ content })),
    z.object({ content: z.array(token).nullish() }),
    z
      .unknown()
      .refine((value) => typeof value !== "symbol")
      .transform(() => undefined),
  ])
  .nullish();

/** Mistral and others give a list where a thought comes beside the answer. */
const part = z.looseObject({
  type: z.string().nullish(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
const message = z.looseObject({
  content: z.union([z.string(), z.array(z.union([z.string(), part]))]).nullish(),
  refusal: z.string().nullish(),
});
const schema = z.object({
  choices: z
    .array(
      z
        .object({
          message: message.nullish(),
          /** The whole answer as one piece of a stream, though no stream was asked for. */
          delta: message.nullish(),
          /** The answer of a server that replies as `completions` does. */
          text: z.string().nullish(),
          finish_reason: z.string().nullish().catch(undefined),
          /** The provider's own, where a router stands before it. */
          native_finish_reason: z.string().nullish().catch(undefined),
          error: z.object({ message: z.string() }).nullish().catch(undefined),
          logprobs: wireLogProbs,
        })
        .transform(({ delta, text, ...rest }) => ({
          ...rest,
          message: rest.message ?? delta ?? { content: text },
        })),
    )
    .nullish(),
  usage: wireUsage,
  /** No name is longer. */
  model: z.string().max(300).nullish().catch(undefined),
});

/** A reply of `chat/completions`, as far as it is used. */
export type WireReply = z.output<typeof schema>;
type WireChoice = NonNullable<WireReply["choices"]>[number];

const read = replyReader(schema, "chat reply");

/**
 * Checks a reply, as `replyReader` does. One without choices, or without a text, that says why the request was blocked
 * (`promptFeedback.blockReason`, a filter of the prompt or the answer) is a refusal; one without choices that counts tokens of an answer ended
 * by its length before a word of it (LiteLLM before Gemini).
 */
export function wireReply(json: unknown): WireReply {
  const reply = read(json);
  const { choices = [] } = reply;
  if (choices?.some((one) => textOf(one) !== "")) return reply;
  const reason = blockReason(json);
  if (reason === undefined && choices?.length) return reply;
  const { outputTokens = 0 } = usageIn(reply.usage, { asked: 0, said: 0 }) ?? {};
  if (reason === undefined && outputTokens > 0 && reply.choices !== undefined) {
    return { ...reply, choices: [{ message: { content: "" }, finish_reason: "length" }] };
  }
  if (reason === undefined) throw withoutChoices(json);
  return { ...reply, choices: [{ message: { refusal: reason }, finish_reason: "content_filter" }] };
}

/** Some servers say an error with status 200, each by members of its own. */
function withoutChoices(json: unknown): CallFailure {
  const { message, code } = errorBody(JSON.stringify(json) ?? "");
  return new CallFailure("faulty-reply", `no chat reply: no choices, but ${message}`, {
    providerCode: code,
    final: finalRefusal({ code, message }),
  });
}

function blockReason(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null || depth > 5) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (/^block_?reason$/i.test(name) && typeof inner === "string") return inner;
    const below = Object(inner).filtered === true ? name : blockReason(inner, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

/**
 * @throws NoAnswer "unparsable" where a log-probability is no number of at most 0, or the reply holds
 *   several answers; "provider-error" where it broke off by an error; "refused" where that is a filter's.
 */
export function chatReply(reply: WireReply): ChatReply {
  const choices = reply.choices ?? [];
  const [first] = choices;
  const text = textOf(first);
  if (choices.some((other) => textOf(other) !== text)) {
    throw new NoAnswer("unparsable", `The reply holds ${choices.length} answers that differ`);
  }
  const { message, finish_reason, native_finish_reason, logprobs, error } = first ?? {};
  const ended = finishOf(finish_reason ?? native_finish_reason ?? "stop");
  if (ended === "other" && isBrokenOff(finish_reason ?? "")) {
    const said = error?.message ?? "";
    throw finalRefusal({ message: said }) === "content"
      ? new NoAnswer("refused", `The provider refused the content: ${said}`)
      : new NoAnswer(
          "provider-error",
          `The reply broke off by an error of the provider's: ${said || finish_reason}`,
        );
  }
  const refusal = message?.refusal ?? refusalIn(first);
  const isBlocked = native_finish_reason ? finishOf(native_finish_reason) === "refused" : false;
  const finish = refusal || isBlocked ? "refused" : ended;
  const said = refusal || text || (finish === "refused" ? (finish_reason ?? "") : "");
  const usage = usageOf(reply);
  const tokens = logprobs?.content?.map(chatToken);
  return {
    text: said,
    finish,
    ...(tokens?.length ? { tokens: saidTokens({ text, tokens }, thoughtOf(first)) ?? tokens } : {}),
    ...(usage ? { usage } : {}),
  };
}

/**
 * The tokens of a reply, as far as they can be true.
 *
 * @param asked characters of the words that were asked, where they are known
 */
export function usageOf(reply: WireReply, asked = 0): ChatReply["usage"] {
  return usageIn(reply.usage, { asked, said: lengthOf(reply) });
}

/** Characters of what was said and of the thought that came with it. */
export function lengthOf({ choices }: WireReply): number {
  const [first] = choices ?? [];
  return textOf(first).length + thoughtOf(first).length;
}

/** Whether the limit was used up before a word of the answer. */
export function endsInThought({ choices }: WireReply): boolean {
  const [first] = choices ?? [];
  const isCut = finishOf(first?.finish_reason ?? "stop") === "length";
  return isCut && withoutThought(textOf(first)).trim() === "";
}

const partsOf = (choice: WireChoice | undefined) => [choice?.message?.content ?? []].flat();
const isThought = (one: z.output<typeof part>) => /think|reason/i.test(one.type ?? "");

const refusalIn = (choice: WireChoice | undefined) =>
  partsOf(choice)
    .map((one) => (typeof one === "string" ? undefined : one.refusal))
    .find(Boolean);

function textOf(choice: WireChoice | undefined): string {
  const texts = partsOf(choice).map((one) =>
    typeof one === "string" ? one : isThought(one) ? "" : (one.text ?? ""),
  );
  return texts.join("");
}

/** What was thought aloud apart from the text, in whatever place. */
function thoughtOf(choice: WireChoice | undefined): string {
  const parts = partsOf(choice).flatMap((one) =>
    typeof one !== "string" && isThought(one) ? stringsIn(one.thinking ?? one.text) : [],
  );
  const apart = Object.entries(choice?.message ?? {}).map(([name, value]) =>
    /think|reason|thought/i.test(name) ? stringsIn(value).join("") : "",
  );
  // Some say the same in two places.
  return apart.find(Boolean) ?? parts.join("");
}

const stringsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .map((one) => (typeof one === "string" ? one : (Object(one).text ?? Object(one).thinking)))
    .filter((one) => typeof one === "string");

/** The names of providers for why a reply ended, in capitals and with what follows a colon or not. */
function finishOf(name: string): ChatReply["finish"] {
  if (
    /filter|safety|prohibited|recitation|bl(ack|ock)_?list|spii|sensitive|refus|guardrail|toxic|moderat|policy|risk|harm/i.test(
      name,
    )
  ) {
    return "refused";
  }
  if (/length|max_?(\w+_)?tokens|token_limit|error_limit|context_window|repetition/i.test(name))
    return "length";
  return /^(finish_reason_)?(stop|eos|eos_token|end_turn|stop_sequence|complete)$/i.test(name)
    ? "stop"
    : "other";
}

/** Whether an ending is no end of the answer: the server stopped in the middle of it. */
const isBrokenOff = (name: string) =>
  /error|abort|cancel|interrupt|insufficient|time_?(out|limit)|overload|unavailable|fail/i.test(
    name,
  );

function chatToken({ top_logprobs, ...said }: WireToken): ChatToken {
  const own = tokenChoice(said);
  // Some servers list the token that was said once more.
  const once = new Map(
    (top_logprobs ?? []).map((one) => [
      typeof one.logprob === "number" ? `${one.logprob} ${one.token}` : one,
      one,
    ]),
  );
  const others = [...once.values()].map((other) =>
    isKept(other.logprob) ? tokenChoice(other) : { token: other.token, logProbability: notKept },
  );
  const isAmong = others.some((other) => other.token === own.token);
  return { ...own, alternatives: isAmong ? others : [own, ...others] };
}

/** The field's number for an alternative whose probability was not kept. */
const notKept = -9999;
/** A number that none is, as JSON has it (null) or Python writes it (NaN, -Infinity). */
const isKept = (logprob: unknown) =>
  logprob !== null &&
  !(typeof logprob === "string" && /^(nan|-inf(inity)?)$/i.test(logprob)) &&
  !/^it is (NaN|-Infinity)$/.test(lackAt(logprob, []) ?? "");

/** Rounding makes a certain token a hair more than certain. */
const slack = 1e-4;

function tokenChoice({ token, logprob }: Pick<WireToken, "token" | "logprob">): TokenChoice {
  if (typeof logprob === "number" && Number.isFinite(logprob) && logprob <= slack) {
    return { token, logProbability: Math.min(0, logprob) };
  }
  throw new NoAnswer(
    "unparsable",
    `Expected a log-probability of at most 0 for the token "${token}" but received ${lackAt(logprob, []) ?? quoted(logprob)}`,
  );
}

/** Members of a chunk that are used; whatever else a server sends is no matter. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Readonly<Record<string, unknown>>;
    readonly message?: object;
    readonly finish_reason?: unknown;
    readonly logprobs?: { readonly content?: readonly unknown[] | null } | null;
  }[];
  readonly error?: unknown;
}

/**
 * One reply of the events of a stream (`chat.completion.chunk`), which some servers send though none was
 * asked for. A stream that breaks off leaves no reply: `undefined`.
 *
 * @param isWhole whether the stream said that it ends: some leave out why the answer does (LiteLLM)
 */
export function streamedReply(events: readonly unknown[], isWhole: boolean): unknown {
  const chunks = events.map((event): Chunk => Object(event));
  const failed = chunks.find(({ error }) => error);
  if (failed) return failed;
  const choices = chunks.flatMap((chunk) => (Array.isArray(chunk.choices) ? chunk.choices : []));
  const whole = choices.find(({ message }) => message);
  if (whole) return { ...Object.assign({}, ...chunks), choices: [whole] };
  const last =
    choices.findLast(({ finish_reason }) => finish_reason) ??
    (isWhole ? choices.at(-1) : undefined);
  if (last === undefined) return undefined;
  // The text, a refusal, and a thought under whatever name.
  const names = new Set(choices.flatMap(({ delta }) => Object.keys(delta ?? {})));
  const joined = [...names]
    .filter((name) => name !== "role")
    .flatMap((name) => {
      const texts = choices.flatMap(({ delta }) => textsIn(delta?.[name]));
      return texts.length === 0 ? [] : [[name, texts.join("")] as const];
    });
  const tokens = choices.flatMap(({ logprobs }) => logprobs?.content ?? []);
  return {
    ...Object.assign({}, ...chunks.map(defined)),
    choices: [
      {
        ...last,
        message: Object.fromEntries(joined),
        ...(tokens.length === 0 ? {} : { logprobs: { content: tokens } }),
      },
    ],
  };
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : [value ?? []].flat().flatMap((part) => (Object(part).text as string | undefined) ?? []);

/** The usage of a stream stands in one chunk; in others it is null. */
const defined = (chunk: object) =>
  Object.fromEntries(Object.entries(chunk).filter(([, value]) => value !== null));
