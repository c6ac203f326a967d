import type { Hash } from "../../core/keys.js";
import type { CallOptions, ChatModel, ChatRequest, Picture } from "../../core/models.js";
import { type AnswerWay, answerShares } from "./answer-shares.js";

/** The words that a prompt gives to its answers, such as A, B and tie. Case does not matter. */
export interface ChoiceWords {
  readonly first: string;
  readonly second: string;
  /** Where the prompt allows a tie. */
  readonly tie?: string;
}

/** Which of two images a model prefers; all in terms of the pair as the caller named it. */
export interface ChoiceAnswer {
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
