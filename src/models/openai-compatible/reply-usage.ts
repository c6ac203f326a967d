import { z } from "zod";
import type { ChatReply } from "../../core/models.js";

const count = z.number().min(0).nullish().catch(undefined);

const details = z.object({ reasoning_tokens: count }).nullish().catch(undefined);

/** The tokens of a reply as servers count them, by the names of OpenAI's chat or of others (`input_tokens`). */
export const wireUsage = z
  .object({
    prompt_tokens: count,
    input_tokens: count,
    completion_tokens: count,
    output_tokens: count,
    total_tokens: count,
    reasoning_tokens: count,
    completion_tokens_details: details,
    output_tokens_details: details,
    cost: count,
    /** Whether the call went out with a key of the user's own: then `cost` is a router's fee alone. */
    is_byok: z.boolean().nullish().catch(undefined),
    cost_details: z.object({ upstream_inference_cost: count }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);
type WireUsage = z.output<typeof wireUsage>;

/** No tokeniser makes one token of more characters, white space in rows apart. */
const longestToken = 16;
/** A shorter text may be a token of its own. */
const shortText = 64;
/** No model takes as many tokens at once. */
const largestContext = 1e7;

/**
 * The tokens that are billed, thought included: some servers count it in `completion_tokens` (OpenAI, vLLM),
 * others in `total_tokens` alone (Gemini, xAI) or beside it in `reasoning_tokens`.
 *
 * @param asked characters of the words of the request
 * @param said characters of what was said and of the thought that came with it
 * @returns `undefined` where nothing is said, or what can't be true: no token of a prompt or of an answer, a
 *   part of a token, a sum that is less than its parts, more text than so many tokens hold, or more tokens than
 *   any model takes.
 */
export function usageIn(
  usage: WireUsage,
  { asked, said }: { readonly asked: number; readonly said: number },
): ChatReply["usage"] {
  const input = usage?.prompt_tokens ?? usage?.input_tokens;
  const total = usage?.total_tokens;
  const counted = usage?.completion_tokens ?? usage?.output_tokens ?? (total ?? 0) - (input ?? 0);
  if (!usage || input == null) return undefined;
  const { completion_tokens_details: chat, output_tokens_details: other } = usage;
  const thought = chat?.reasoning_tokens ?? other?.reasoning_tokens ?? usage.reasoning_tokens ?? 0;
  const output = Math.max(thought > counted ? counted + thought : counted, (total ?? 0) - input);
  const canBe =
    input > 0 &&
    [input, output].every((tokens) => Number.isInteger(tokens) && tokens <= largestContext) &&
    (total == null || total >= input + counted) &&
    holds(input, asked) &&
    (output > 0 || said === 0) &&
    holds(output, said);
  return canBe ? { inputTokens: input, outputTokens: output } : undefined;
}

const holds = (tokens: number, characters: number) =>
  characters <= Math.max(shortText, tokens * longestToken);

/** The bill of a router, in US dollars; `undefined` where there is none, or of nothing for a model with a price. */
export function billIn(usage: WireUsage, isPriced: boolean): number | undefined {
  const own = usage?.cost ?? undefined;
  const upstream = usage?.is_byok ? (usage.cost_details?.upstream_inference_cost ?? 0) : 0;
  const bill = own === undefined ? undefined : own + upstream;
  return bill === 0 && isPriced ? undefined : bill;
}
