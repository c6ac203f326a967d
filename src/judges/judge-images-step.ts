import type { Hash } from "../core/keys.js";
import {
  type CallOptions,
  type ChatModel,
  modelFacts,
  type Picture,
  placedName,
  type VisualQuestionAnswering,
} from "../core/models.js";
import type { About } from "../core/records.js";
import { partNamed, type Records, type Step } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { type AnswerWay, answerShares } from "../models/chat/answer-shares.js";
import { type RatingDistribution, ratingDistribution } from "./answer-kind.js";
import { wordingKey } from "./pairwise-judge.js";
import { imageMessages, type Prompt } from "./prompt.js";

/** An image in the run's store, and the question or caption to judge it by. */
export interface ImageToJudge {
  /** Id, unique in the run. */
  readonly item: string;
  /** A yes/no question, or a caption. */
  readonly text: string;
  readonly image: Hash;
}

/** The judge: a chat model asked by prompts of a pool, or a question answerer asked the question itself. */
export type ImageJudge =
  | { readonly model: ChatModel; readonly way: AnswerWay }
  | { readonly model: VisualQuestionAnswering; readonly way: "probability" };

/** The only prompt of a question answerer: the question itself. */
export const questionItself: Prompt = {
  id: "none/question/none/none/straight",
  pool: "question@1",
  kind: "yes-no",
  parts: {
    persona: "none",
    template: "question",
    criterion: "none",
    glyphs: "none",
    order: "straight",
  },
  system: "",
  task: "{question}",
  question: "",
  labels: [],
  answers: ["yes", "no"],
  order: ["yes", "no"],
};

/** Returns the answers that a prompt's probabilities belong to: yes and no, or ratings from 1 up. */
const answersOf = ({ kind, answers }: Prompt): string[] =>
  kind === "ordinal" ? answers.map((_, at) => String(at + 1)) : ["yes", "no"];

/**
 * Makes the step in which a model judges images one by one by every prompt: yes/no questions by prompts
 * of the kind "yes-no", ratings by prompts of the kind "ordinal". Each task is one call, so a resumed run
 * asks exactly for what is missing.
 */
export function judgeImages({
  judge,
  prompts,
  items,
  trials = 1,
}: {
  readonly judge: ImageJudge;
  /** Prompts of one kind. */
  readonly prompts: readonly Prompt[];
  /** Yields the images, in the same order each time. */
  items(records: Records): AsyncIterable<ImageToJudge>;
  /** Calls for each image and prompt; default: 1. */
  readonly trials?: number;
}): Step<"image-judgment"> {
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const { model, way } = judge;
  const facts = modelFacts(model.identity);
  return {
    name: "judge-images",
    part: partNamed([placedName(model.identity).replace(/@\S*/g, "")]),
    version: 1,
    produces: "image-judgment",
    parameters: { ...facts, prompts: prompts.map(({ id }) => id), way, trials },
    asks: [placedName(judge.model.identity)],
    async *plan(records) {
      for await (const { item, text, image } of items(records)) {
        for (const prompt of prompts) {
          const answers = answersOf(prompt);
          const isFlipped = prompt.parts.order === "flipped";
          for (let trial = 0; trial < trials; trial++) {
            yield {
              task: prompt.kind === "ordinal" ? "rating" : "yes-no",
              item,
              text,
              image,
              answers,
              firstNamed: (isFlipped ? answers.at(-1) : answers[0]) ?? "",
              prompt: prompt.id,
              pool: prompt.pool,
              wording: wordingKey(prompt),
              way,
              ...facts,
              trial,
            } satisfies About<"image-judgment">;
          }
        }
      }
    },
    async perform({ prompt: id, text, image, trial }, { openPicture, signal, trace }) {
      const prompt = byId.get(id);
      if (prompt === undefined) throw new Error(`No prompt ${id} was planned`);
      const picture = await openPicture(image);
      const options = { signal, trace, trial };
      if (judge.way === "probability") {
        const [yes] = await judge.model.probabilityOfYes(picture, [text], options);
        if (yes === undefined) throw new NoAnswer("unparsable", "The model gave no probability");
        return { probabilities: [yes, 1 - yes], remaining: 0 };
      }
      const asked = { model: judge.model, way: judge.way, prompt, image: picture };
      if (prompt.kind === "ordinal") {
        const said = await judgeRating({ ...asked, caption: text }, options);
        const { probabilities, remaining, unlisted } = said;
        return {
          probabilities: [...probabilities],
          remaining,
          ...(unlisted === undefined ? {} : { unlisted: unlisted.map(String) }),
        };
      }
      const { probability, remaining, unlisted } = await judgeYesNo(
        { ...asked, question: text },
        options,
      );
      return {
        probabilities: [probability, 1 - probability],
        remaining,
        ...(unlisted === undefined ? {} : { unlisted: [...unlisted] }),
      };
    },
  };
}

export interface YesNoJudgment {
  /** P(yes | yes or no). */
  readonly probability: number;
  /** P(any other answer). */
  readonly remaining: number;
  /** Answers that the model did not list; each counts with the largest probability it can have had. */
  readonly unlisted?: readonly ("yes" | "no")[];
}

/**
 * Asks a model a yes/no question about an image.
 *
 * @param prompt a prompt of the pool "yes-no".
 * @throws NoAnswer as `judgePair` does.
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
      // A model told to answer Y may answer yes.
      spellings: { yes: [yes, "yes"], no: [no, "no"] },
    },
    options,
  );
  return { probability: shares.yes, remaining, ...(unlisted.length === 0 ? {} : { unlisted }) };
}

export interface RatingJudgment extends RatingDistribution {
  /** P(any other answer). */
  readonly remaining: number;
  /** Ratings that the model did not list; each counts with the largest probability it can have had. */
  readonly unlisted?: readonly number[];
}

/**
 * Asks a model to rate how well an image shows a caption. Ratings are positions on the prompt's scale,
 * whatever words it uses.
 *
 * @param prompt a prompt of the pool "ordinal".
 * @throws NoAnswer as `judgePair` does.
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
