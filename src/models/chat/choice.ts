import type { Hash } from "../../core/keys.js";
import type { CallOptions, ChatModel, ChatRequest, Picture } from "../../core/models.js";
import { answerMass } from "./answer-token.js";

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
  /** The images in the order in which they were shown. */
  readonly order: readonly [Hash, Hash];
}

/**
 * Which of two images a chat model prefers, by the probabilities of the token that it answers with.
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
  }: {
    readonly model: ChatModel;
    readonly pair: readonly [Picture, Picture];
    readonly flipped: boolean;
    readonly request: (shown: readonly [Picture, Picture]) => ChatRequest;
    readonly words: ChoiceWords;
  },
  options: CallOptions = {},
): Promise<ChoiceAnswer> {
  const shown: readonly [Picture, Picture] = flipped ? [second, first] : [first, second];
  const { mass, remaining } = await answerMass(
    {
      model,
      request: request(shown),
      spellings: {
        [flipped ? "second" : "first"]: [words.first.toLowerCase()],
        [flipped ? "first" : "second"]: [words.second.toLowerCase()],
        tie: words.tie === undefined ? [] : [words.tie.toLowerCase()],
      },
      otherWays: "a model that gives them",
    },
    options,
  );
  const share = (answer: string) => (mass[answer] ?? 0) / (1 - remaining);
  const probabilities = { first: share("first"), second: share("second"), tie: share("tie") };
  return {
    choice: likeliest(probabilities),
    probabilities,
    remaining,
    order: [shown[0].hash, shown[1].hash],
  };
}

function likeliest({ first, second, tie }: ChoiceAnswer["probabilities"]): ChoiceAnswer["choice"] {
  if (first > second && first > tie) return "first";
  return second > first && second > tie ? "second" : "tie";
}
