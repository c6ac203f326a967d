import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  type ChatToken,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerOf, excerpt } from "./answer-of.js";

/** As many alternatives as the common providers give at most. */
const mostAlternatives = 20;
/** Room for quotation marks and line ends before the word that counts. */
const tokensOfAnAnswer = 8;
/** A model that puts less than this on the possible answers is saying something else. */
const leastMass = 0.5;
/** Log-probabilities come rounded. */
const slack = 1e-3;
/** A certainty that stands alone may be a rounded one: this much less is rounded to the same. */
const leastLeft = 1e-4;

/** How the probability of an answer's first word is spread over the possible answers. */
export interface AnswerMass<Answer extends string> {
  /** The probability of each answer, summed over all its spellings among the alternatives. */
  readonly mass: Readonly<Record<Answer, number>>;
  /** The mass left for everything else, in [0, 1 - the sum of `mass`]. */
  readonly remaining: number;
  /**
   * The most that an answer that is not among the alternatives can have: no more than the least of
   * them, and no more than they leave. Where the token that was said stands alone, they leave 1e-4 at
   * least: nobody showed that the others have nothing.
   */
  readonly unlistedAtMost: number;
}

/**
 * Asks for an answer of one word and reads how likely each of the possible answers was, from the
 * log-probabilities of the token that carries it: the first one that has a letter or a digit.
 * Spellings of an answer differ in case, white space and punctuation (`Yes`, ` yes`, `YES.`).
 *
 * @param spellings the words of each possible answer, in small letters
 * @throws NoAnswer "refused"; "not-applicable" where the model gives no log-probabilities;
 *   "unparsable" where the possible answers have less than half of the probability together, where
 *   the probabilities are none, or are those of another text than the answer's (of a thought, say).
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
    readonly spellings: Readonly<Record<Answer, readonly string[]>>;
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
  const { tokens } = reply;
  if (tokens === undefined || (tokens.length === 0 && reply.text !== "")) {
    throw new NoAnswer(
      "not-applicable",
      `${name} gives no log-probabilities of its tokens; ask for ${otherWays} instead`,
    );
  }
  const token = tokens.find((candidate) => wordOf(candidate.token) !== "");
  if (token === undefined) {
    throw new NoAnswer("unparsable", `${name} answered without a word: "${excerpt(reply.text)}"`);
  }
  if (!wordOf(reply.text).startsWith(wordOf(token.token))) {
    throw new NoAnswer(
      "unparsable",
      `${name} answered "${excerpt(reply.text)}", but its log-probabilities are of ` +
        `"${excerpt(token.token)}"`,
    );
  }
  const result = massOf(token, spellings);
  const answered = 1 - result.remaining;
  if (answered >= leastMass) return result;
  throw new NoAnswer(
    "unparsable",
    `${name} answered "${excerpt(reply.text)}"; ${Object.keys(spellings).join(", ")} have only ` +
      `${(100 * answered).toFixed(1)} % of the probability`,
  );
}

function massOf<Answer extends string>(
  { token: said, alternatives }: ChatToken,
  spellings: Readonly<Record<Answer, readonly string[]>>,
): AnswerMass<Answer> {
  const answers = Object.keys(spellings) as Answer[];
  const mass = Object.fromEntries(answers.map((answer) => [answer, 0])) as Record<Answer, number>;
  const isAlone = alternatives.every(({ token }) => token === said);
  let all = 0;
  let least = 1;
  for (const { token, logProbability } of alternatives) {
    const probability = Math.exp(logProbability);
    if (!(probability >= 0 && probability <= 1 + slack)) {
      throw new NoAnswer(
        "unparsable",
        `Expected a log-probability of at most 0 but received ${logProbability}`,
      );
    }
    all += probability;
    // A word that was drawn against the odds is no measure of what the list leaves out.
    if (token !== said || isAlone) least = Math.min(least, probability);
    const word = wordOf(token);
    const answer = answers.find((candidate) => spellings[candidate].includes(word));
    if (answer !== undefined) mass[answer] += probability;
  }
  if (all > 1 + slack) {
    throw new NoAnswer(
      "unparsable",
      `Expected probabilities of one token with a sum of at most 1 but received ${all}`,
    );
  }
  const answered = answers.reduce((sum, answer) => sum + mass[answer], 0);
  return {
    mass,
    remaining: Math.max(0, 1 - answered),
    unlistedAtMost: Math.min(least, Math.max(isAlone ? leastLeft : 0, 1 - all)),
  };
}

/** A token's word in small letters, without white space, tokenisers' marks for it, punctuation. */
export function wordOf(token: string): string {
  const [word = ""] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(token.replace(/^Ġ+/, "")) ?? [];
  return word.toLowerCase();
}
