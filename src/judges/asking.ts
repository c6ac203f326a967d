import { type ChatModel, type Model, modelFacts, placed } from "../core/models.js";
import type { AnyStep, Records } from "../core/step.js";
import type { ItemToJudge, PromptAnswer } from "./item-to-judge.js";
import { type ImageJudge, judgeImages } from "./judge-images-step.js";
import { judgePairs } from "./judge-pairs-step.js";
import { type JudgingWay, preferenceForA } from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";
import { type SelectiveOptions, selectiveRounds } from "./selective-rounds.js";

/** How a model is asked about the items of a task, and what its records say. */
export interface Asking {
  /** Asks about every item by every prompt. */
  step(prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>): AnyStep;
  /** Asks about each item as few prompts as settle it. */
  rounds(options: Omit<SelectiveOptions, "asking">): AnyStep[];
  /** Answers of this model to these prompts; a run may hold those of others. */
  answers(records: Records): AsyncGenerator<PromptAnswer>;
}

/** Whether a record is of this model, asked in this way, in one of so many trials. */
function isAskedBy(
  model: Model,
  { way, trials }: { readonly way: string; readonly trials: number },
): (record: {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly way: string;
  readonly trial: number;
}) => boolean {
  const name = placed(modelFacts(model.identity));
  return (record) => placed(record) === name && record.way === way && record.trial < trials;
}

/** Which of two images is better for a caption. */
export function askingOfPairs({
  model,
  trials,
  ...way
}: JudgingWay & { readonly model: ChatModel; readonly trials: number }): Asking {
  const step = (prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>) =>
    judgePairs({
      model,
      prompts,
      trials,
      ...way,
      async *pairs() {
        for await (const { id, text, images } of items()) {
          const [imageA, imageB] = images;
          if (imageA === undefined || imageB === undefined) {
            throw new RangeError(`Expected two images of ${id} but received ${images.length}`);
          }
          yield { pair: id, caption: text, imageA, imageB };
        }
      },
    });
  const { ties = false, way: how = "tokens" } = way;
  const isOurs = isAskedBy(model, { way: how, trials });
  const answers = async function* (records: Records): AsyncGenerator<PromptAnswer> {
    for await (const judgment of records.ofType("judgment")) {
      if (!isOurs(judgment) || judgment.ties !== ties) continue;
      const { pair, caption, imageA, imageB, prompt, wording } = judgment;
      const item = { id: pair, text: caption, images: [imageA, imageB] };
      const said =
        judgment.status === "done" ? [preferenceForA(judgment.probabilities)] : judgment.reason;
      yield { item, prompt, wording, said };
    }
  };
  return {
    step,
    answers,
    rounds: (options) => selectiveRounds({ ...options, asking: { step, answers } }),
  };
}

/** A question of yes or no about an image, or a rating of one. */
export function askingOfImages({
  judge,
  trials,
}: {
  readonly judge: ImageJudge;
  readonly trials: number;
}): Asking {
  const step = (prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>) =>
    judgeImages({
      judge,
      prompts,
      trials,
      async *items() {
        for await (const { id, text, images } of items()) {
          const [image] = images;
          if (image === undefined) throw new RangeError(`Expected an image of ${id}`);
          yield { item: id, text, image };
        }
      },
    });
  const isOurs = isAskedBy(judge.model, { way: judge.way, trials });
  const answers = async function* (records: Records): AsyncGenerator<PromptAnswer> {
    for await (const judgment of records.ofType("image-judgment")) {
      if (!isOurs(judgment)) continue;
      const { item: id, text, image, prompt, wording, task } = judgment;
      const about = { item: { id, text, images: [image] }, prompt, wording };
      if (judgment.status === "unscored") yield { ...about, said: judgment.reason };
      // The probability of yes says that of no, too.
      else {
        const { probabilities } = judgment;
        yield { ...about, said: task === "yes-no" ? probabilities.slice(0, 1) : probabilities };
      }
    }
  };
  return {
    step,
    answers,
    rounds: (options) => selectiveRounds({ ...options, asking: { step, answers } }),
  };
}
