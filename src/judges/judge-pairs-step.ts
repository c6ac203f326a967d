import type { Hash } from "../core/keys.js";
import type { PairJudge } from "../core/metric.js";
import { type ChatModel, modelFacts, placedName } from "../core/models.js";
import type { About } from "../core/records.js";
import { partNamed, type Records, type Step } from "../core/step.js";
import {
  firstShownBy,
  inBothOrders,
  type JudgingWay,
  judgePair,
  turned,
  wordingKey,
} from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";

/** Two images of one caption, stored in the run. */
export interface PairToJudge {
  /** Its id: no two pairs of a run share it. */
  readonly pair: string;
  readonly caption: string;
  readonly imageA: Hash;
  readonly imageB: Hash;
}

export interface JudgePairsOptions extends JudgingWay {
  readonly model: ChatModel;
  readonly prompts: readonly Prompt[];
  /** The pairs, from the records that exist or from elsewhere; each time in the same order. */
  pairs(records: Records): AsyncIterable<PairToJudge>;
  /** As each prompt has it, or both for each, so that the bias for a place can be seen and taken out. */
  readonly orders?: "as-prompted" | "both";
  /** How often each is asked; 1 where not given. */
  readonly trials?: number;
}

/** The judge that asks by one prompt, its first image at the first place. */
function pairJudge({
  model,
  prompt,
  ...how
}: JudgingWay & { readonly model: ChatModel; readonly prompt: Prompt }): PairJudge {
  const straight = firstShownBy(prompt) === "a" ? prompt : turned(prompt);
  return {
    ...modelFacts(model.identity),
    async prefersFirst({ caption, first, second }, options) {
      const asked = { model, prompt: straight, caption, a: first, b: second, ...how };
      const { probabilities } = await judgePair(asked, options);
      return probabilities.a - probabilities.b;
    },
  };
}

/**
 * The step by which a model judges pairs of images, each by every prompt. What is planned is what is
 * asked, so a run that goes on asks exactly for what is missing.
 */
export function judgePairs({
  model,
  prompts,
  pairs,
  orders = "as-prompted",
  ties = false,
  way = "tokens",
  trials = 1,
}: JudgePairsOptions): Step<"judgment"> {
  const asked = orders === "both" ? inBothOrders(prompts) : prompts;
  const byId = new Map(asked.map((prompt) => [prompt.id, prompt]));
  const facts = modelFacts(model.identity);
  return {
    name: "judge-pairs",
    part: partNamed([placedName(model.identity).replace(/@\S*/g, "")]),
    version: 1,
    produces: "judgment",
    parameters: {
      ...facts,
      prompts: asked.map(({ id }) => id),
      ties,
      way,
      trials,
    },
    asks: [placedName(model.identity)],
    ...(prompts[0] === undefined
      ? {}
      : { judge: pairJudge({ model, prompt: prompts[0], ties, way }) }),
    async *plan(records) {
      for await (const { pair, caption, imageA, imageB } of pairs(records)) {
        for (const prompt of asked) {
          for (let trial = 0; trial < trials; trial++) {
            yield {
              pair,
              caption,
              imageA,
              imageB,
              firstShown: firstShownBy(prompt),
              prompt: prompt.id,
              pool: prompt.pool,
              wording: wordingKey(prompt),
              ties,
              way,
              ...facts,
              trial,
            } satisfies About<"judgment">;
          }
        }
      }
    },
    async perform(about, { openPicture, signal, trace }) {
      const prompt = byId.get(about.prompt);
      if (prompt === undefined) throw new Error(`No prompt ${about.prompt} was planned`);
      const { caption, trial } = about;
      const [a, b] = await Promise.all([openPicture(about.imageA), openPicture(about.imageB)]);
      const { probabilities, remaining, unlisted } = await judgePair(
        { model, prompt, caption, a, b, ties, way },
        { signal, trace, trial },
      );
      return {
        probabilities,
        remaining,
        ...(unlisted === undefined ? {} : { unlisted: [...unlisted] }),
      };
    },
  };
}
