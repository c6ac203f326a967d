import { type ChatModel, type ChatToken, modelName } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { wordOf } from "./said-text.js";
import { saidTokens } from "./said-tokens.js";

/** Above this, what may be a 1 or the beginning of 10 could change a rating. */
const mostUnclear = 0.05;

/**
 * The model with "10" as one token of its answer, where its tokeniser has "1" and "0": the probability of
 * "1" is split by how likely a "0" follows, which is known where the answer began with "1". Elsewhere "1"
 * may be either, and counts as none of them.
 *
 * @throws NoAnswer, when asked, "unparsable" where that is more than 5 %.
 */
export function joinedTen(model: ChatModel): ChatModel {
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
