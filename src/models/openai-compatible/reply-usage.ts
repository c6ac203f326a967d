import { z } from "zod";
import type { ChatReply } from "../../core/models.js";

const count = z.number().min(0).nullish().catch(undefined);

/** The tokens of a reply as servers count them. */
export const wireUsage = z
  .object({
    prompt_tokens: z.number().min(0),
    completion_tokens: z.number().min(0).default(0),
    total_tokens: count,
    completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
    cost: count,
  })
  .nullish()
  .catch(undefined);

/** No tokeniser makes one token of more characters, white space in rows apart. */
const longestToken = 16;
/** A shorter text may be a token of its own. */
const shortText = 64;

/**
 * The tokens that are billed, thought included: some servers count it in `completion_tokens` (OpenAI, vLLM),
 * others in `total_tokens` alone (Gemini, xAI) or beside it in `reasoning_tokens`.
 *
 * @param characters length of what was said and of the thought that came with it
 * @returns `undefined` where nothing is said, or what can't be true: no token of a prompt, a sum that is
 *   less than its parts, or more text than so many tokens hold.
 */
export function usageIn(usage: z.output<typeof wireUsage>, characters: number): ChatReply["usage"] {
  if (!usage) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens, completion_tokens_details } = usage;
  const thought = completion_tokens_details?.reasoning_tokens ?? 0;
  const beside = thought > completion_tokens ? completion_tokens + thought : completion_tokens;
  const outputTokens = Math.max(beside, (total_tokens ?? 0) - prompt_tokens);
  const isLess = total_tokens != null && total_tokens < prompt_tokens + completion_tokens;
  const isMore = characters > shortText && characters > outputTokens * longestToken;
  if (prompt_tokens === 0 || isLess || isMore) return undefined;
  return { inputTokens: prompt_tokens, outputTokens };
}
