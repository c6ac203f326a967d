import { z } from "zod";

// What a log-probability is gets looked at apart: a wrong one is no faulty reply but a faulty answer.
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
export type WireToken = z.output<typeof token>;

/**
 * The log-probabilities of a reply's tokens, in the layouts of servers: a list of tokens (OpenAI's chat), lists
 * beside each other (OpenAI's older completions, Together), alternatives in a list or by name. In any other
 * layout there are none.
 */
export const wireLogProbs = z
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
