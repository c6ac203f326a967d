import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerOf, excerpt } from "./answer-of.js";
import { answerMass, wordOf } from "./answer-token.js";

/** Above this, what a model does not list could change what it says. */
const mostUnlisted = 0.05;
const tokensOfAWord = 8;

/**
 * Where the shares of answers come from: the log-probabilities of the answer's token; or what the
 * model says when it draws its answer, all for that one. The mean over trials of the latter is the
 * share of each answer.
 */
export type AnswerWay = "tokens" | "samples";

export interface AnswerShares<Answer extends string> {
  /** The probability that was shown for each answer; 0 for one that was not listed. */
  readonly mass: Readonly<Record<Answer, number>>;
  /** The probability of each answer, given that one of them was said; they sum to 1. */
  readonly shares: Readonly<Record<Answer, number>>;
  /** The probability of saying something else. */
  readonly remaining: number;
  /**
   * Answers that the model did not list among its alternatives. They count with the most that they
   * can have had, so that no confidence is greater than what was shown.
   */
  readonly unlisted: readonly Answer[];
}

/**
 * How a chat model's answer of one word is spread over the possible answers. All that reads the
 * probabilities of tokens reads them here, so that one rule holds: an answer that was not listed
 * counts with the most that it can have had, and where that is more than 5 % there is no answer.
 *
 * @param spellings the words of each possible answer, in small letters; none for one that was not
 *   offered, whose share is 0
 * @throws NoAnswer "refused"; "unparsable" where something else was said, or so few alternatives were
 *   listed that a missing answer could have more than 5 %; "not-applicable" where log-probabilities
 *   are asked for and there are none.
 */
export async function answerShares<Answer extends string>(
  {
    model,
    request,
    spellings,
    way = "tokens",
    otherWays = "sampled answers, in repeated trials,",
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly spellings: Readonly<Record<Answer, readonly string[]>>;
    readonly way?: AnswerWay;
    /** Alternatives to log-probabilities, for the message. */
    readonly otherWays?: string;
  },
  options: CallOptions = {},
): Promise<AnswerShares<Answer>> {
  const answers = Object.keys(spellings) as Answer[];
  if (way === "samples") {
    const said = await saidAnswer({ model, request, spellings }, options);
    const share = (answer: Answer) => [answer, answer === said ? 1 : 0];
    const shares = Object.fromEntries(answers.map(share));
    return { mass: shares, shares, remaining: 0, unlisted: [] };
  }
  const { mass, remaining, unlistedAtMost } = await answerMass(
    { model, request, spellings, otherWays },
    options,
  );
  const unlisted = answers.filter(
    (answer) => spellings[answer].length > 0 && mass[answer] === 0 && unlistedAtMost > 0,
  );
  if (unlisted.length > 0 && unlistedAtMost > mostUnlisted) {
    throw new NoAnswer(
      "unparsable",
      `${modelName(model.identity)} lists too few alternatives: ${unlisted.join(", ")} ` +
        `${unlisted.length === 1 ? "is" : "are"} not among them and could have ` +
        `${(100 * unlistedAtMost).toFixed(1)} %${unlisted.length === 1 ? "" : " each"}`,
    );
  }
  const massOf = (answer: Answer) => (unlisted.includes(answer) ? unlistedAtMost : mass[answer]);
  const all = answers.reduce((sum, answer) => sum + massOf(answer), 0);
  const shares = Object.fromEntries(answers.map((answer) => [answer, massOf(answer) / all]));
  return { mass, shares: shares as Record<Answer, number>, remaining, unlisted };
}

/** The answer that a model draws: another one for each trial. */
async function saidAnswer<Answer extends string>(
  {
    model,
    request,
    spellings,
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly spellings: Readonly<Record<Answer, readonly string[]>>;
  },
  options: CallOptions,
): Promise<Answer> {
  const seed = (request.seed ?? 0) + (options.trial ?? 0);
  const drawn = { maxTokens: tokensOfAWord, temperature: 1, ...request, seed };
  const { text } = await answerOf(model, drawn, options);
  const words = text.split(/\s+/).map(wordOf);
  const word = words.find((candidate) => candidate !== "") ?? "";
  const answers = Object.keys(spellings) as Answer[];
  const answer = answers.find((candidate) => spellings[candidate].includes(word));
  if (answer !== undefined) return answer;
  throw new NoAnswer(
    "unparsable",
    `${modelName(model.identity)} answered "${excerpt(text)}", which is none of ${answers.join(", ")}`,
  );
}
