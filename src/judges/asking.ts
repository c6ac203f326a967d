import { type ChatModel, type Model, modelFacts, placed } from "../core/models.js";
import type { RecordType } from "../core/records.js";
import type { AnyStep, Records, Step } from "../core/step.js";
import { type AskingRule, askedInRounds, mostRounds } from "../ensembles/fewer-calls-replay.js";
import { answersSoFar, type ItemToJudge, type PromptAnswer, stateOf } from "./answers-so-far.js";
import { type ImageJudge, judgeImages } from "./judge-images-step.js";
import { judgePairs } from "./judge-pairs-step.js";
import { type JudgingWay, preferenceForA } from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";

/** How a model is asked about a task's items, and how its records are read. */
export interface Asking {
  /** Asks about every item by every prompt. */
  step(prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>): AnyStep;
  /** Asks about each item by as few prompts as needed. */
  rounds(options: Omit<SelectiveOptions, "asking">): AnyStep[];
  /** Answers of this model to these prompts; answers of other models are skipped. */
  answers(records: Records): AsyncGenerator<PromptAnswer>;
}

/** Tells whether a record comes from this model, asked in this way with this number of trials. */
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

export interface SelectiveOptions<Type extends RecordType = RecordType> {
  readonly asking: {
    step(prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>): Step<Type>;
    answers(records: Records): AsyncIterable<PromptAnswer>;
  };
  readonly prompts: readonly Prompt[];
  /** How many numbers an answer has. */
  readonly width: number;
  /** The items, each time in the same order. */
  items(): AsyncIterable<ItemToJudge>;
  /** The weight of each prompt on each item, in the order of the items: items x prompts. */
  readonly weights: Float64Array;
  /** Says what to ask next, and when to stop. */
  readonly rule: AskingRule;
  /** Ask every prompt, whatever it can still change. */
  readonly everyPrompt: boolean;
}

/**
 * Steps that judge items by as few prompts as settle the verdict. Each round asks, of every item that
 * is not settled by the rounds before it, what can still change most. A run that goes on finds what
 * was answered and asks for nothing twice; with another threshold it asks only what that needs.
 */
function selectiveRounds<Type extends RecordType>(options: SelectiveOptions<Type>): Step<Type>[] {
  const { asking, prompts, width, weights, rule, everyPrompt } = options;
  const rounds = everyPrompt ? 1 : Math.min(mostRounds, prompts.length);
  const all = asking.step(prompts, options.items);
  return Array.from({ length: rounds }, (_, round) => ({
    ...all,
    part: `${all.part}-round-${String(round + 1).padStart(2, "0")}`,
    parameters: { ...all.parameters, round: round + 1 },
    async *plan(records) {
      const said = await answersSoFar(asking.answers(records), {
        items: options.items(),
        prompts,
        width,
      });
      let row = 0;
      for await (const item of options.items()) {
        const state = stateOf(said.get(item.id), row, { weights, prompts: prompts.length, width });
        row++;
        const next = everyPrompt
          ? Array.from(prompts.keys()).filter((at) => state.asked[at] === 0)
          : askedInRounds(rule, state).next;
        if (next.length === 0) continue;
        const asked = next.flatMap((at) => prompts[at] ?? []);
        const own = asking.step(asked, async function* () {
          yield item;
        });
        yield* own.plan(records);
      }
    },
  }));
}
