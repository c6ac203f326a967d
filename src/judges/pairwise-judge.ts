import { type Hash, type Key, keyOf } from "../core/keys.js";
import type { CallOptions, ChatModel, ChatRequest, Picture } from "../core/models.js";
import type { RecordOf } from "../core/records.js";
import { type AnswerWay, answerShares } from "../models/chat/answer-shares.js";
import { type Prompt, pairMessages, wordingOf } from "./prompt.js";

/** How a judge is asked, beside the words of a prompt. */
export interface JudgingWay {
  /** Whether it may call both equal. */
  readonly ties?: boolean;
  /**
   * Where its probabilities come from: log-probabilities where not given. A model without them is
   * asked in repeated trials, `samples`; the mean over trials is then the share of each answer.
   */
  readonly way?: AnswerWay;
}

/** Which of two images a judge prefers. */
export interface PairJudgment {
  /** Which image was shown at the first place. */
  readonly firstShown: "a" | "b";
  /** Given that one of the answers was said; they sum to 1. */
  readonly probabilities: { readonly a: number; readonly b: number; readonly tie: number };
  /** The probability of saying something else. */
  readonly remaining: number;
  /** Answers that the model did not list, which count with the most that they can have had. */
  readonly unlisted?: readonly ("a" | "b" | "tie")[];
}

/**
 * Asks a model by one prompt which of two images is better for a caption. The prompt's order decides
 * which is shown at the first place; `turned` gives the other one.
 *
 * @example
 * const [prompt] = composePrompts(loadPromptPool("pairwise").pool);
 * const { probabilities } = await judgePair({ model, prompt, caption, a, b });
 * preferenceForA(probabilities) // 0.83
 *
 * @throws NoAnswer where there is no judgment: "refused", "unparsable", or "not-applicable" where the
 *   model gives no log-probabilities and was not asked for samples.
 */
export async function judgePair(
  {
    model,
    prompt,
    caption,
    a,
    b,
    ties = false,
    way = "tokens",
  }: JudgingWay & {
    readonly model: ChatModel;
    readonly prompt: Prompt;
    readonly caption: string;
    readonly a: Picture;
    readonly b: Picture;
  },
  options: CallOptions = {},
): Promise<PairJudgment> {
  const [first = "", second = ""] = prompt.answers;
  const firstShown = firstShownBy(prompt);
  const answer = await choose(
    {
      model,
      way,
      pair: [a, b],
      flipped: firstShown === "b",
      request: (shown) => ({ messages: pairMessages(prompt, { caption, shown, ties }) }),
      words: {
        first,
        second,
        ...(ties && prompt.tie !== undefined ? { tie: prompt.tie.answer } : {}),
      },
    },
    options,
  );
  const { probabilities, remaining, unlisted } = answer;
  const sideOf = { first: "a", second: "b", tie: "tie" } as const;
  return {
    firstShown,
    probabilities: {
      a: probabilities.first,
      b: probabilities.second,
      tie: probabilities.tie,
    },
    remaining,
    ...(unlisted === undefined ? {} : { unlisted: unlisted.map((one) => sideOf[one]) }),
  };
}

/** Which image of a pair a prompt shows at the first place. */
export const firstShownBy = ({ order }: Prompt): "a" | "b" => (order[0] === "b" ? "b" : "a");

/** A pairwise prompt that shows the images the other way round; its words are the same. */
export function turned(prompt: Prompt): Prompt {
  const order = prompt.parts.order === "straight" ? "flipped" : "straight";
  return {
    ...prompt,
    id: prompt.id.replace(/[^/]*$/, order),
    parts: { ...prompt.parts, order },
    order: prompt.order.toReversed(),
  };
}

/** Each prompt with its turn beside it, none twice. */
export function inBothOrders(prompts: readonly Prompt[]): Prompt[] {
  const byId = new Map(
    prompts.flatMap((prompt) => [prompt, turned(prompt)].map((one) => [one.id, one] as const)),
  );
  return [...byId.values()];
}

/** P(a is better), a tie counting half. */
export const preferenceForA = ({ a, tie }: PairJudgment["probabilities"]): number => a + tie / 2;

/**
 * Key of a prompt's words, as a judge reads them: all but its name, its pool and which
 * image is at the first place.
 */
export const wordingKey = ({ system, task, question, labels, answers, tie }: Prompt): Key =>
  keyOf({ system, task, question, labels, answers, ...(tie === undefined ? {} : { tie }) });

/** The words that a prompt gives to its answers, such as A, B and tie. Case does not matter. */
interface ChoiceWords {
  readonly first: string;
  readonly second: string;
  /** Where the prompt allows a tie. */
  readonly tie?: string;
}

/** Which of two images a model prefers; all in terms of the pair as the caller named it. */
interface ChoiceAnswer {
  readonly choice: "first" | "second" | "tie";
  /** They sum to 1, given that one of the answers was said. `tie` is 0 where none was allowed. */
  readonly probabilities: {
    readonly first: number;
    readonly second: number;
    readonly tie: number;
  };
  /** The probability of saying something else. */
  readonly remaining: number;
  /** Answers that the model did not list; `probabilities` has the most that they can have had. */
  readonly unlisted?: readonly ("first" | "second" | "tie")[];
  /** The images in the order in which they were shown. */
  readonly order: readonly [Hash, Hash];
}

/**
 * Which of two images a chat model prefers, by the probabilities of the token that it answers with,
 * or by what it says (`way`).
 *
 * @param pair the two images
 * @param flipped whether the second of the pair is shown first; the result is turned back
 * @param request makes the question about two images in the order in which they are shown
 * @param words what the prompt calls the image that is shown first, the other, and a tie
 * @returns the likeliest answer; the tie where two are equally likely
 * @throws NoAnswer where there is no choice.
 */
export async function choose(
  {
    model,
    pair: [first, second],
    flipped,
    request,
    words,
    way = "tokens",
  }: {
    readonly model: ChatModel;
    readonly pair: readonly [Picture, Picture];
    readonly flipped: boolean;
    readonly request: (shown: readonly [Picture, Picture]) => ChatRequest;
    readonly words: ChoiceWords;
    readonly way?: AnswerWay;
  },
  options: CallOptions = {},
): Promise<ChoiceAnswer> {
  const shown: readonly [Picture, Picture] = flipped ? [second, first] : [first, second];
  const spelled = (word: string | undefined) => (word === undefined ? [] : [word.toLowerCase()]);
  const { shares, remaining, unlisted } = await answerShares(
    {
      model,
      way,
      request: request(shown),
      spellings: {
        first: spelled(flipped ? words.second : words.first),
        second: spelled(flipped ? words.first : words.second),
        tie: spelled(words.tie),
      },
    },
    options,
  );
  return {
    choice: likeliest(shares),
    probabilities: shares,
    remaining,
    ...(unlisted.length === 0 ? {} : { unlisted }),
    order: [shown[0].hash, shown[1].hash],
  };
}

function likeliest({ first, second, tie }: ChoiceAnswer["probabilities"]): ChoiceAnswer["choice"] {
  if (first > second && first > tie) return "first";
  return second > first && second > tie ? "second" : "tie";
}

/** Answers of a model's prompts to a pair. */
interface PairPreferences {
  readonly pair: string;
  /** P(a is better) by prompt, a tie counting half; null where there is no answer. */
  readonly preferences: readonly (number | null)[];
}

/** The judgments of one model as a table: a row for each pair, a column for each prompt. */
interface PreferenceTable {
  /** Names of prompts; of wordings where both orders are averaged. */
  readonly prompts: readonly string[];
  /** In the order in which the pairs were met. */
  readonly pairs: readonly PairPreferences[];
  /** Cells without an answer, by reason; of both orders averaged, those with one alone. */
  readonly unscored: Readonly<Record<string, number>>;
}

/**
 * Puts judgments into a table. A cell is the mean over its trials that have an answer.
 *
 * @param judgments of one model, in one way of asking
 * @param prompts which columns there are, in this order; all that are met where not given
 * @param orders `averaged`: a column is a wording and a cell the mean of both orders, so that a bias
 *   for a place falls out; a cell needs both
 */
export async function preferenceTable({
  judgments,
  prompts,
  orders = "apart",
}: {
  readonly judgments: AsyncIterable<RecordOf<"judgment">> | Iterable<RecordOf<"judgment">>;
  readonly prompts?: readonly string[];
  readonly orders?: "apart" | "averaged";
}): Promise<PreferenceTable> {
  const pairs = new Map<string, Map<string, Cell>>();
  const met = new Set<string>();
  for await (const judgment of judgments) {
    const column = orders === "averaged" ? wordingOf({ id: judgment.prompt }) : judgment.prompt;
    met.add(column);
    const row = pairs.get(judgment.pair) ?? new Map<string, Cell>();
    pairs.set(judgment.pair, row);
    const cell = row.get(column) ?? { a: none(), b: none(), reason: undefined };
    row.set(column, cell);
    if (judgment.status === "unscored") {
      cell.reason ??= judgment.reason;
      continue;
    }
    const seen = cell[judgment.firstShown];
    seen.sum += preferenceForA(judgment.probabilities);
    seen.count++;
  }
  const columns = prompts ?? [...met];
  const unscored: Record<string, number> = {};
  const fewest = orders === "averaged" ? 2 : 1;
  const preference = (cell: Cell | undefined): number | null => {
    const seen = cell === undefined ? [] : [cell.a, cell.b].filter(({ count }) => count > 0);
    if (seen.length >= fewest) {
      return seen.reduce((total, { sum, count }) => total + sum / count, 0) / seen.length;
    }
    const reason = cell?.reason ?? (seen.length === 0 ? "not asked" : "one order alone");
    unscored[reason] = (unscored[reason] ?? 0) + 1;
    return null;
  };
  return {
    prompts: columns,
    pairs: [...pairs].map(([pair, row]) => ({
      pair,
      preferences: columns.map((column) => preference(row.get(column))),
    })),
    unscored,
  };
}

interface Cell {
  /** Answers by which image was shown first. */
  readonly a: { sum: number; count: number };
  readonly b: { sum: number; count: number };
  reason: string | undefined;
}

const none = () => ({ sum: 0, count: 0 });
