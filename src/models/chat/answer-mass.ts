import type { ChatToken } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import type { Spellings } from "./said-answer.js";
import { wordOf } from "./said-text.js";

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
export function massOf<Answer extends string>(
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
