import {
  type CallOptions,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ChatToken,
  modelName,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerOf, excerpt } from "./answer-of.js";
import { foundJson } from "./json-answer.js";
import { saidTokens, saidWord, withoutThought, wordOf } from "./said-text.js";

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

/** Log-probabilities come rounded. */
export const slack = 1e-3;

/** A list that leaves less leaves nothing: its probabilities of 0 are some. */
const nothing = 1e-5;

/** A certainty that stands alone may be a rounded one: this much less is rounded to the same. */
const leastLeft = 1e-4;

/** No vocabulary is larger: what a list leaves is no more than so many of its least. */
const largestVocabulary = 1e6;

/** How the probability of an answer's word is spread over the possible answers. */
export interface AnswerMass<Answer extends string> {
  /** The probability of each answer, summed over all its spellings among the alternatives. */
  readonly mass: Readonly<Record<Answer, number>>;
  /** The mass left for everything else, in [0, 1 - the sum of `mass`]. */
  readonly remaining: number;
  /**
   * The most that an answer, or another spelling of one, that is not among the alternatives can have: no
   * more than the least of them, and no more than they leave. Where the token that was said stands alone,
   * they leave 1e-4 at least: nobody showed that the others have nothing.
   */
  readonly unlistedAtMost: number;
  /** Whether alternatives were listed whose probability was not kept. */
  readonly isMasked: boolean;
}

/**
 * Reads a token's alternatives. Servers list as -9999 and the like (or as null, NaN) what they did not
 * keep: that is no probability of 0. Which these are is seen by the sum: where even a million tokens of the
 * least listed probability would not make up what the list leaves, the least was not kept.
 *
 * @throws NoAnswer "unparsable" where the probabilities are none.
 */
function massOf<Answer extends string>(
  { token: said, alternatives }: ChatToken,
  spellings: Spellings<Answer>,
): AnswerMass<Answer> {
  const answers = Object.keys(spellings) as Answer[];
  const listed = alternatives
    .map(({ token, logProbability }) => ({ token, probability: probabilityOf(logProbability) }))
    .toSorted((one, other) => other.probability - one.probability);
  const all = sumOf(listed);
  if (all > 1 + slack) {
    throw new NoAnswer(
      "unparsable",
      `Expected probabilities of one token with a sum of at most 1 but received ${all}`,
    );
  }
  const kept = [...listed];
  // A word that was drawn against the odds is no measure of what the list leaves out.
  const leastOf = () => kept.findLast(({ token }) => token !== said)?.probability;
  const left = Math.max(0, 1 - all);
  for (let least = leastOf(); least !== undefined; least = leastOf()) {
    if (least > 0 && largestVocabulary * least >= left - nothing) break;
    kept.splice(
      kept.findLastIndex(({ token }) => token !== said),
      1,
    );
  }
  const isMasked = kept.length < listed.length;
  const isAlone = kept.every(({ token }) => token === said);
  const least = leastOf() ?? kept[0]?.probability ?? 0;
  const mass = Object.fromEntries(answers.map((answer) => [answer, 0])) as Record<Answer, number>;
  for (const { token, probability } of kept) {
    const word = wordOf(token);
    const answer = answers.find((candidate) => spellings[candidate].includes(word));
    if (answer !== undefined) mass[answer] += probability;
  }
  const answered = answers.reduce((sum, answer) => sum + mass[answer], 0);
  const leftAtMost = Math.max(isAlone ? leastLeft : 0, left);
  const lacks = answers.some((answer) => mass[answer] === 0 && spellings[answer].length > 0);
  const isSpreadAnew = isMasked && lacks && left < nothing;
  return {
    mass,
    remaining: Math.max(0, 1 - answered),
    isMasked,
    unlistedAtMost: isSpreadAnew ? 1 : isMasked ? leftAtMost : Math.min(least, leftAtMost),
  };
}

function probabilityOf(logProbability: number): number {
  const probability = Math.exp(logProbability);
  if (probability >= 0 && probability <= 1 + slack) return probability;
  throw new NoAnswer(
    "unparsable",
    `Expected a log-probability of at most 0 but received ${logProbability}`,
  );
}

const sumOf = (listed: readonly { readonly probability: number }[]) =>
  listed.reduce((sum, { probability }) => sum + probability, 0);

/** The words of each possible answer, in small letters. */
export type Spellings<Answer extends string> = Readonly<Record<Answer, readonly string[]>>;

/**
 * The answer that a reply says: its whole text, what follows its thought, what it marks as its answer, or
 * the one member of its JSON that may be it, reasons and certainties apart.
 *
 * @returns `undefined` where it says something else, goes on after the word, or was cut off.
 */
export function saidAnswer<Answer extends string>(
  { text, finish }: Pick<ChatReply, "text" | "finish">,
  spellings: Spellings<Answer>,
): Answer | undefined {
  if (finish === "length") return undefined;
  const answers = Object.keys(spellings) as Answer[];
  const spelled = (word: string) => answers.find((answer) => spellings[answer].includes(word));
  const said = spelled(saidWord(text));
  if (said !== undefined) return said;
  // JSON in prose is a part of what is said.
  if (!/^(?:```\w*)?\s*\{.*\}\s*(?:```)?$/s.test(withoutThought(text).trim())) return undefined;
  const [json, ...others] = foundJson(text);
  if (others.length > 0) return undefined;
  const scalars = Object.entries(Object(json)).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  const named = scalars.filter(([name]) => /answer/i.test(name));
  const [member, ...rest] = named.length > 0 ? named : scalars.filter(isNoAside);
  return member === undefined || rest.length > 0 ? undefined : spelled(wordIn(member[1]));
}

const wordIn = (value: unknown) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : wordOf(String(value));

/** Whether a member may be the answer: it is no reason or certainty, by its name or as it is a sentence. */
const isNoAside = ([name, value]: readonly [string, unknown]) =>
  !/reason|expla|rationale|thought|evidence|comment|confiden|certain/i.test(name) &&
  String(value).trim().split(/\s+/).length <= 3;
