import { type Key, keyOf } from "../core/keys.js";
import type { CallOptions, ChatModel, Picture } from "../core/models.js";
import type { AnswerWay } from "../models/chat/answer-shares.js";
import { choose } from "../models/chat/choice.js";
import { type Prompt, pairMessages } from "./prompt.js";

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
