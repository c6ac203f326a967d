import type { CallOptions, ChatModel, Picture } from "../core/models.js";
import { type AnswerWay, answerShares } from "../models/chat/answer-shares.js";
import type { Prompt } from "./prompt.js";
import { imageMessages } from "./prompt-messages.js";

export interface YesNoJudgment {
  /** P(yes), given that yes or no was said. */
  readonly probability: number;
  /** The probability of saying something else. */
  readonly remaining: number;
  /** Answers that the model did not list, which count with the most that they can have had. */
  readonly unlisted?: readonly ("yes" | "no")[];
}

/**
 * Asks a model by one prompt a question of yes or no about an image.
 *
 * @param prompt of the pool "yes-no"
 * @throws NoAnswer where there is none, as `judgePair` does.
 */
export async function judgeYesNo(
  {
    model,
    prompt,
    question,
    image,
    way = "tokens",
  }: {
    readonly model: ChatModel;
    readonly prompt: Prompt;
    readonly question: string;
    readonly image: Picture;
    readonly way?: AnswerWay;
  },
  options: CallOptions = {},
): Promise<YesNoJudgment> {
  const [yes = "", no = ""] = prompt.answers.map((answer) => answer.toLowerCase());
  const { shares, remaining, unlisted } = await answerShares(
    {
      model,
      way,
      request: { messages: imageMessages(prompt, { about: question, image }) },
      // Who is told to say Y for yes may say yes.
      spellings: { yes: [yes, "yes"], no: [no, "no"] },
    },
    options,
  );
  return { probability: shares.yes, remaining, ...(unlisted.length === 0 ? {} : { unlisted }) };
}
