import { z } from "zod";
import type { CallOptions, ChatModel, ChatRequest } from "../../core/models.js";
import { answerShares } from "./answer-shares.js";
import { joinedTen } from "./joined-ten.js";
import { jsonAnswer } from "./json-answer.js";

export interface RatingAnswer {
  /** In [1, scale]: the expected rating from token probabilities, a whole number from JSON. */
  readonly value: number;
  /** The probability of each rating from 1 to scale, given that it was one of them. */
  readonly probabilities?: readonly number[];
  /** The probability of saying something else. */
  readonly remaining?: number;
  /** Ratings that the model did not list, which count with the most that they can have had. */
  readonly unlisted?: readonly number[];
}

/**
 * A rating from 1 to `scale` by a chat model.
 *
 * `tokens`: the model is to answer with the number alone; the rating is its mean under the
 * probabilities of the numbers, sum of k P(k) / sum of P(k). Only scales up to 10, whose "10" may be
 * two tokens: see `joinedTen`. `json`: the model is to answer with an object `{ "rating": k }`.
 *
 * @param request the question, which must say how it is to be answered
 * @throws NoAnswer where there is no rating; RangeError for a scale that can't be.
 */
export async function rating(
  {
    model,
    request,
    scale,
    way,
    key = "rating",
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly scale: number;
    readonly way: "tokens" | "json";
    /** The member of the JSON that holds the rating. */
    readonly key?: string | undefined;
  },
  options: CallOptions = {},
): Promise<RatingAnswer> {
  const most = way === "tokens" ? 10 : 1000;
  if (!Number.isInteger(scale) || scale < 2 || scale > most) {
    throw new RangeError(`Expected a scale from 2 to ${most} for ${way} but received ${scale}`);
  }
  if (way === "json") {
    const schema = z.object({ [key]: z.int().min(1).max(scale) });
    const answer = await jsonAnswer({ model, request, name: "rating", schema }, options);
    return { value: answer[key] ?? Number.NaN };
  }
  const steps = Array.from({ length: scale }, (_, index) => String(index + 1));
  const { shares, remaining, unlisted } = await answerShares(
    {
      model: scale === 10 ? joinedTen(model) : model,
      request,
      spellings: Object.fromEntries(steps.map((step) => [step, [step]])),
      otherWays: "ratings in JSON",
    },
    options,
  );
  const probabilities = steps.map((step) => shares[step] ?? 0);
  const value = probabilities.reduce((sum, share, index) => sum + share * (index + 1), 0);
  return {
    value: Math.min(scale, Math.max(1, value)),
    probabilities,
    remaining,
    ...(unlisted.length === 0 ? {} : { unlisted: unlisted.map(Number) }),
  };
}
