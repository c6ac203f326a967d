import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerOf, excerpt } from "./answer-of.js";
import { type AnswerMass, answerMass, type Spellings, saidAnswer, slack } from "./answer-token.js";

/** Above this, what a model does not list could change what it says. */
const mostUnlisted = 0.05;
/** The same where all answers are listed: what is not may be other spellings of them, but of all alike. */
const mostOtherSpellings = 0.1;
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
    readonly spellings: Spellings<Answer>;
    readonly way?: AnswerWay;
    /** Alternatives to log-probabilities, for the message. */
    readonly otherWays?: string;
  },
  options: CallOptions = {},
): Promise<AnswerShares<Answer>> {
  const answers = Object.keys(spellings) as Answer[];
  if (way === "samples") {
    const said = await drawnAnswer({ model, request, spellings }, options);
    const share = (answer: Answer) => [answer, answer === said ? 1 : 0];
    const shares = Object.fromEntries(answers.map(share));
    return { mass: shares, shares, remaining: 0, unlisted: [] };
  }
  const found = await answerMass({ model, request, spellings, otherWays }, options);
  const { mass, remaining, unlistedAtMost, isMasked } = found;
  const unlisted = answers.filter(
    (answer) => spellings[answer].length > 0 && mass[answer] === 0 && unlistedAtMost > 0,
  );
  const most = unlisted.length > 0 || isMasked ? mostUnlisted : mostOtherSpellings + slack;
  if (unlistedAtMost > most) {
    throw new NoAnswer("unparsable", `${modelName(model.identity)} ${tooFew(found, unlisted)}`);
  }
  const massOf = (answer: Answer) => (unlisted.includes(answer) ? unlistedAtMost : mass[answer]);
  const all = answers.reduce((sum, answer) => sum + massOf(answer), 0);
  const shares = Object.fromEntries(answers.map((answer) => [answer, massOf(answer) / all]));
  return { mass, shares: shares as Record<Answer, number>, remaining, unlisted };
}

/** What is known of an answer of which too much is not. */
function tooFew<Answer extends string>(
  { mass, unlistedAtMost }: AnswerMass<Answer>,
  unlisted: readonly Answer[],
): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const listed = (Object.keys(mass) as Answer[]).filter((answer) => mass[answer] > 0);
  const shown = listed.map((answer) => `${answer} has ${percent(mass[answer])}`);
  const missing =
    unlisted.length === 0
      ? `other spellings could have ${percent(unlistedAtMost)}`
      : `${unlisted.join(", ")} ${unlisted.length === 1 ? "is" : "are"} not among them and could have ` +
        `${percent(unlistedAtMost)}${unlisted.length === 1 ? "" : " each"}`;
  return `lists too few alternatives: ${[...shown, missing].join(", ")}`;
}

/** The answer that a model draws: another one for each trial. */
async function drawnAnswer<Answer extends string>(
  {
    model,
    request,
    spellings,
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly spellings: Spellings<Answer>;
  },
  options: CallOptions,
): Promise<Answer> {
  const seed = (request.seed ?? 0) + (options.trial ?? 0);
  const drawn = { maxTokens: tokensOfAWord, temperature: 1, ...request, seed };
  const reply = await answerOf(model, drawn, options);
  const answer = saidAnswer(reply, spellings);
  if (answer !== undefined) return answer;
  throw new NoAnswer(
    "unparsable",
    `${modelName(model.identity)} answered "${excerpt(reply.text)}", which is none of ` +
      Object.values<readonly string[]>(spellings)
        .flatMap(([word]) => word ?? [])
        .join(", "),
  );
}
