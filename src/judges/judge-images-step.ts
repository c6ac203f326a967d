import type { Hash } from "../core/keys.js";
import {
  type ChatModel,
  modelFacts,
  placedName,
  type VisualQuestionAnswering,
} from "../core/models.js";
import type { About } from "../core/records.js";
import type { Records, Step } from "../core/step.js";
import { partNamed } from "../core/step-part.js";
import { NoAnswer } from "../core/unscored.js";
import type { AnswerWay } from "../models/chat/answer-shares.js";
import { judgeRating } from "./ordinal-judge.js";
import { wordingKey } from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";
import { judgeYesNo } from "./yes-no-judge.js";

/** An image and what is asked about it, stored in the run. */
export interface ImageToJudge {
  /** Its id: no two of a run share it. */
  readonly item: string;
  /** A question of yes or no, or the text that the image is held against. */
  readonly text: string;
  readonly image: Hash;
}

/** Who is asked: a chat model by prompts of a pool, or a question answerer by the question itself. */
export type ImageJudge =
  | { readonly model: ChatModel; readonly way: AnswerWay }
  | { readonly model: VisualQuestionAnswering; readonly way: "probability" };

/**
 * The one prompt of a model that answers questions and takes no other words: the question as it
 * stands.
 */
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

/** Answers that a prompt's probabilities are of: yes and no, or ratings from 1 up. */
const answersOf = ({ kind, answers }: Prompt): string[] =>
  kind === "ordinal" ? answers.map((_, at) => String(at + 1)) : ["yes", "no"];

/**
 * The step by which a model judges images one by one, each by every prompt: questions of yes or no by
 * prompts of the kind "yes-no", ratings by those of "ordinal". What is planned is what is asked, so a
 * run that goes on asks exactly for what is missing.
 */
export function judgeImages({
  judge,
  prompts,
  items,
  trials = 1,
}: {
  readonly judge: ImageJudge;
  /** All of one kind. */
  readonly prompts: readonly Prompt[];
  /** The images, from the records that exist or from elsewhere; each time in the same order. */
  items(records: Records): AsyncIterable<ImageToJudge>;
  /** How often each is asked; 1 where not given. */
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
