import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { type AnswerMass, massOf } from "./answer-mass.js";
import { answerOf, excerpt } from "./answer-of.js";
import type { Spellings } from "./said-answer.js";
import { saidTokens, saidWord } from "./said-text.js";

/** As many alternatives as the common providers give at most. */
const mostAlternatives = 20;
/** Room for quotation marks and line ends before the word that counts. */
const tokensOfAnAnswer = 8;
/** A model that puts less than this on the possible answers is saying something else. */
export const leastMass = 0.5;

/**
 * Asks for an answer of one word and reads how likely each of the possible answers was, from the
 * log-probabilities of the token that carries it: the only one with a letter or a digit, thought and marks
 * apart. Spellings of an answer differ in case, white space and punctuation (`Yes`, ` yes`, `YES.`).
 *
 * @param spellings the words of each possible answer, in small letters
 * @throws NoAnswer "refused"; "not-applicable" where the model gives no log-probabilities;
 *   "unparsable" where the reply goes on after the word or was cut off, where the possible answers have
 *   less than half of the probability together, where the probabilities are none, or are those of another
 *   text than the answer's (of a thought, say).
 */
export async function answerMass<Answer extends string>(
  {
    model,
    request,
    spellings,
    otherWays,
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly spellings: Spellings<Answer>;
    /** Alternatives, for the message. */
    readonly otherWays: string;
  },
  options: CallOptions = {},
): Promise<AnswerMass<Answer>> {
  const reply = await answerOf(
    model,
    {
      maxTokens: tokensOfAnAnswer,
      temperature: 0,
      topLogProbabilities: mostAlternatives,
      ...request,
    },
    options,
  );
  const name = modelName(model.identity);
  const { tokens = [], text, finish } = reply;
  const unparsable = (problem: string) => new NoAnswer("unparsable", `${name} ${problem}`);
  if (finish === "length") {
    throw unparsable(`was cut off at its greatest length: "${excerpt(text)}"`);
  }
  if (tokens.length === 0 && text.trim() !== "") {
    throw new NoAnswer(
      "not-applicable",
      `${name} gives no log-probabilities of its tokens; ask for ${otherWays} instead`,
    );
  }
  if (saidWord(text) === "") throw unparsable(`answered without a word: "${excerpt(text)}"`);
  const [token, ...others] = saidTokens(reply) ?? [];
  if (token === undefined || others.length > 0) {
    const given = excerpt(tokens.map((one) => one.token).join(""));
    throw unparsable(
      `answered "${excerpt(text)}", but its log-probabilities are of "${given}": expected those of ` +
        "an answer of one word and nothing else",
    );
  }
  const result = massOf(token, spellings);
  const answered = 1 - result.remaining;
  if (answered >= leastMass) return result;
  throw unparsable(
    `answered "${excerpt(text)}"; ${Object.keys(spellings).join(", ")} have only ` +
      `${(100 * answered).toFixed(1)} % of the probability`,
  );
}
