import type { Hash, Key } from "../core/keys.js";
import type { UnscoredReason } from "../core/unscored.js";
import type { AskedSoFar } from "../ensembles/fewer-calls.js";
import { wordingKey } from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";

/** Answers of prompts to one item, in the mean of their trials. */
export interface Said {
  /** The sum over trials of each number of an answer, `width` for each prompt. */
  readonly sums: Float64Array;
  /** Trials with an answer, by prompt. */
  readonly counts: Int32Array;
  /** Trials asked, with or without an answer. */
  readonly asked: Int32Array;
  /** Why a prompt gave no answer, the first time. */
  readonly reasons: (string | undefined)[];
}

/**
 * Answers to each item, by its name. A run may hold more than is asked now: answers to other
 * prompts or in other words, or of another text or image under the same name, count for nothing.
 */
export async function answersSoFar(
  answers: AsyncIterable<PromptAnswer>,
  {
    items: inQuestion,
    prompts,
    width,
  }: {
    readonly items: AsyncIterable<ItemToJudge>;
    readonly prompts: readonly Prompt[];
    readonly width: number;
  },
): Promise<Map<string, Said>> {
  const places = new Map(prompts.map((prompt, at) => [prompt.id + wordingKey(prompt), at]));
  const wanted = new Map<string, string>();
  for await (const item of inQuestion) wanted.set(item.id, contentOf(item));
  const items = new Map<string, Said>();
  for await (const { item, prompt, wording, said } of answers) {
    const at = places.get(prompt + wording);
    if (at === undefined || wanted.get(item.id) !== contentOf(item)) continue;
    const one = items.get(item.id) ?? {
      sums: new Float64Array(prompts.length * width),
      counts: new Int32Array(prompts.length),
      asked: new Int32Array(prompts.length),
      reasons: prompts.map(() => undefined),
    };
    items.set(item.id, one);
    one.asked[at] = (one.asked[at] ?? 0) + 1;
    if (typeof said === "string") {
      one.reasons[at] ??= said;
      continue;
    }
    for (let number = 0; number < width; number++) {
      const place = at * width + number;
      one.sums[place] = (one.sums[place] ?? 0) + (said[number] ?? Number.NaN);
    }
    one.counts[at] = (one.counts[at] ?? 0) + 1;
  }
  return items;
}

const contentOf = ({ text, images }: ItemToJudge): string => [...images, text].join(" ");

/** The mean of each prompt's trials; NaN where it gave no answer. */
export const meanAnswers = (
  said: Said | undefined,
  { prompts, width }: { readonly prompts: number; readonly width: number },
): Float64Array =>
  Float64Array.from({ length: prompts * width }, (_, at) => {
    const count = said?.counts[Math.floor(at / width)] ?? 0;
    return count > 0 ? (said?.sums[at] ?? Number.NaN) / count : Number.NaN;
  });

/** How an item stands; `row` is its number among the items. */
export function stateOf(
  said: Said | undefined,
  row: number,
  { weights, prompts, width }: { weights: Float64Array; prompts: number; width: number },
): AskedSoFar {
  return {
    weights: weights.subarray(row * prompts, (row + 1) * prompts),
    answers: meanAnswers(said, { prompts, width }),
    asked: Uint8Array.from({ length: prompts }, (_, at) => ((said?.asked[at] ?? 0) > 0 ? 1 : 0)),
  };
}

/** Item to judge, stored in the run: two images of a caption, or one and what is asked about it. */
export interface ItemToJudge {
  /** Its id: no two of a run share it. */
  readonly id: string;
  /** The caption, the question, or the text that the image is held against. */
  readonly text: string;
  /** a and b of a pair, else one. */
  readonly images: readonly Hash[];
}

/** One prompt's answer to one item in one trial. */
export interface PromptAnswer {
  /** The item, as it was then. */
  readonly item: ItemToJudge;
  readonly prompt: string;
  /** Its words: see `wordingKey`. */
  readonly wording: Key;
  /** As an answer of its kind has them: P(label is 1), or P of each rating. Or why there is none. */
  readonly said: readonly number[] | UnscoredReason;
}
