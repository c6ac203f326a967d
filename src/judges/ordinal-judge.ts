import type { CallOptions, ChatModel, Picture } from "../core/models.js";
import { type AnswerWay, answerShares } from "../models/chat/answer-shares.js";
import type { Prompt } from "./prompt.js";
import { imageMessages } from "./prompt-messages.js";
import { type RatingDistribution, ratingDistribution } from "./rating-distribution.js";

export interface RatingJudgment extends RatingDistribution {
  /** The probability of saying something else. */
  readonly remaining: number;
  /** Ratings that the model did not list, which count with the most that they can have had. */
  readonly unlisted?: readonly number[];
}

/**
 * Asks a model by one prompt how well an image shows a caption. The rating is read by its place on the
 * prompt's scale, whatever word stands for it.
 *
 * @param prompt of the pool "ordinal"
 * @throws NoAnswer where there is none, as `judgePair` does.
 */
export async function judgeRating(
  {
    model,
    prompt,
    caption,
    image,
    way = "tokens",
  }: {
    readonly model: ChatModel;
    readonly prompt: Prompt;
    readonly caption: string;
    readonly image: Picture;
    readonly way?: AnswerWay;
  },
  options: CallOptions = {},
): Promise<RatingJudgment> {
  const ratings = prompt.answers.map((_, at) => String(at + 1));
  const { shares, remaining, unlisted } = await answerShares(
    {
      model,
      way,
      request: { messages: imageMessages(prompt, { about: caption, image }) },
      spellings: Object.fromEntries(
        prompt.answers.map((answer, at) => [String(at + 1), [answer.toLowerCase()]]),
      ),
    },
    options,
  );
  return {
    ...ratingDistribution(ratings.map((one) => shares[one] ?? 0)),
    remaining,
    ...(unlisted.length === 0 ? {} : { unlisted: unlisted.map(Number) }),
  };
}
