import { z } from "zod";
import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  type ChatToken,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerShares } from "./answer-shares.js";
import { jsonAnswer } from "./json-answer.js";
import { saidTokens, wordOf } from "./said-text.js";

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
 * two tokens: see `joinedTen`. `json`: the model is to answer with an object `{ "rating": k }`; the number alone, or
 * `k/scale`, is read as well.
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
    const bare = (text: string) => {
      const value = bareRating(text, scale);
      return value === undefined ? undefined : { [key]: value };
    };
    const answer = await jsonAnswer({ model, request, name: "rating", schema, bare }, options);
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

/**
 * The number in a reply that is nothing else: alone, in bold, or out of the scale's greatest; undefined where the reply
 * says more, or speaks of another scale.
 *
 * @example bareRating("**7/10**", 10) // 7
 */
function bareRating(text: string, scale: number): number | undefined {
  const plain = text.trim().replace(/^(\*{1,2})(.*)\1$/s, "$2");
  const [, value, outOf] = /^(\d{1,4})(?:\s*(?:\/|out of)\s*(\d{1,4}))?\.?$/i.exec(plain) ?? [];
  return value === undefined || Number(outOf ?? scale) !== scale ? undefined : Number(value);
}

/** Above this, what may be a 1 or the beginning of 10 could change a rating. */
const mostUnclear = 0.05;

/**
 * The model with "10" as one token of its answer, where its tokeniser has "1" and "0": the probability of
 * "1" is split by how likely a "0" follows, which is known where the answer began with "1". Elsewhere "1"
 * may be either, and counts as none of them.
 *
 * @throws NoAnswer, when asked, "unparsable" where that is more than 5 %.
 */
function joinedTen(model: ChatModel): ChatModel {
  return {
    ...model,
    async chat(request, options) {
      const reply = await model.chat(request, options);
      const [first, next] = saidTokens(reply) ?? [];
      if (first === undefined || first.alternatives.some(({ token }) => wordOf(token) === "10")) {
        return reply;
      }
      const joined =
        wordOf(first.token) === "1" && next !== undefined
          ? splitOne(first, next)
          : withoutOne(first, modelName(model.identity));
      return { ...reply, tokens: [joined] };
    },
  };
}

function splitOne(first: ChatToken, next: ChatToken): ChatToken {
  const all = next.alternatives.length === 0 ? [next] : next.alternatives;
  const zero = all
    .filter(({ token }) => wordOf(token) === "0")
    .reduce((sum, { logProbability }) => sum + Math.exp(logProbability), 0);
  const share = Math.min(1, zero);
  const split = (token: string, logProbability: number, part: number) =>
    part <= 0 ? [] : [{ token, logProbability: logProbability + Math.log(part) }];
  const alternatives = first.alternatives.flatMap((one) =>
    wordOf(one.token) === "1"
      ? [...split("10", one.logProbability, share), ...split("1", one.logProbability, 1 - share)]
      : [one],
  );
  return { ...first, token: wordOf(next.token) === "0" ? "10" : "1", alternatives };
}

function withoutOne(first: ChatToken, name: string): ChatToken {
  const isOne = ({ token }: { readonly token: string }) => wordOf(token) === "1";
  const unclear = first.alternatives
    .filter(isOne)
    .reduce((sum, { logProbability }) => sum + Math.exp(logProbability), 0);
  if (unclear > mostUnclear) {
    throw new NoAnswer(
      "unparsable",
      `${name} puts ${(100 * unclear).toFixed(1)} % on "1", which may be a 1 or the beginning of 10`,
    );
  }
  return {
    ...first,
    alternatives: first.alternatives.map((one) =>
      isOne(one) ? { ...one, token: "1 or 10" } : one,
    ),
  };
}
