import { z } from "zod";
import { once } from "../core/cache.js";
import { InputError } from "../core/errors.js";
import { keyOf } from "../core/keys.js";
import type { Metric } from "../core/metric.js";
import { type ChatModel, modelFacts, modelName, turn } from "../core/models.js";
import { linedYaml, packagedYaml } from "../files/yaml.js";
import { rating } from "../models/chat/rating-answer.js";
import { checkModel } from "./check-model.js";
import { checkConvention, checkTemplate, fillTemplate } from "./template.js";

/**
 * How the rating is read:
 * - `json`: the whole number that the model answers with;
 * - `expected`: the mean of the scale's numbers under the probabilities of the one it answers with, which
 *   needs a model that gives log-probabilities. It is another number of another kind.
 */
export const ratingConventions = {
  json: { way: "json", statistic: "rating" },
  expected: { way: "tokens", statistic: "sum of k P(k)" },
} as const;

export type RatingConvention = keyof typeof ratingConventions;

/** Wording by which a chat model rates an image against a text. */
export interface RatingWording {
  readonly instruction: string;
  readonly question: string;
  readonly answer: Readonly<Record<RatingConvention, string>>;
  /** The member of the answer's JSON that holds the rating: "rating" where not given. */
  readonly answerKey?: string | undefined;
}

/**
 * A metric that has a chat model rate one image from 1 to `scale`.
 *
 * @throws InputError for an unknown convention, a template without {text} or a model that does not
 *   chat.
 */
function chatRating({
  name,
  scale,
  wording,
  own,
  model,
  convention = "json",
  template,
}: {
  readonly name: string;
  readonly scale: number;
  readonly wording: RatingWording;
  /** Words in place of `wording`: the convention names them by their hash, the template holds them. */
  readonly own?: RatingWording | undefined;
  readonly model: ChatModel;
  readonly convention?: RatingConvention | undefined;
  /** The question, with {text} where the text goes; how it is to be answered is said after it. */
  readonly template?: string | undefined;
}): Metric {
  checkModel(model, { metric: name, needs: ["ChatModel"] });
  checkConvention(ratingConventions, convention, name);
  const { way, statistic } = ratingConventions[convention];
  const { instruction, question, answer, answerKey } = own ?? wording;
  const asked = checkTemplate(
    template ?? (own === undefined ? model.templates?.[name] : undefined) ?? question,
  );
  const said = [instruction.trim(), asked, answer[convention].trim()].join("\n\n");
  return {
    name,
    version: 1,
    convention:
      own === undefined ? convention : `${convention}:words-${keyOf({ said }).slice(0, 8)}`,
    template: own === undefined ? asked : said,
    statistic,
    ...modelFacts(model.identity),
    range: [1, scale],
    direction: "higher",
    async score({ image, text }, options) {
      const filled = fillTemplate(asked, text);
      const request = {
        messages: [
          turn("system", instruction),
          turn("user", image, `${filled}\n${answer[convention]}`),
        ],
        temperature: 0,
      } as const;
      const given = await rating({ model, request, scale, way, key: answerKey }, options);
      const { value, ...details } = given;
      return {
        value,
        question: filled,
        ...(details.probabilities === undefined ? {} : { details }),
      };
    },
  };
}

export const ratingWordingSchema = z.strictObject({
  /** The origin of the words, such as a paper's table. */
  source: z.string().min(1).optional(),
  instruction: z.string().min(1),
  question: z.string().includes("{text}"),
  answer: z.strictObject({ json: z.string().min(1), expected: z.string().min(1) }),
  answerKey: z.string().min(1).optional(),
});

/** The wording in a file of data/metrics. */
const ratingWording = (file: string): RatingWording =>
  ratingWordingSchema.parse(packagedYaml(`metrics/${file}`));

/**
 * Reads the wording in a file of one's own, with the members of data/metrics/mllm-rating.yaml.
 *
 * @throws InputError that lists every problem with its line.
 */
export const readRatingWording = (file: string, text: string): RatingWording =>
  linedYaml(file, text, ratingWordingSchema, "data/metrics/mllm-rating.yaml shows every member.")
    .value;

/** The words of ProtoBias' Table 6, from 1 to 4. */
export const paperRatingWording = (): RatingWording =>
  ratingWordingSchema.parse(packagedYaml("papers/protobias-table-6.yaml"));

export type MllmConvention = RatingConvention;

/**
 * A multimodal model as a judge of one image: how much of the text's meaning it shows, from 1 (the
 * main subject is wrong) to 4 (all of it), by the strict rules of data/metrics/mllm-rating.yaml.
 * The idea of the rules is ProtoBias' (Table 6); the words are ours.
 *
 * @param options.template the question, with {text} where the text goes; how it is to be answered is
 *   said after it
 * @param options.own words in place of these
 * @throws InputError for an unknown convention, a template without {text} or a model that does not
 *   chat.
 */
export const mllmRating = (options: {
  readonly model: ChatModel;
  readonly convention?: MllmConvention;
  readonly template?: string;
  readonly own?: RatingWording | undefined;
}): Metric => chatRating({ ...options, name: "mllm-rating", scale: 4, wording: wording() });

const wording = once(() => ratingWording("mllm-rating.yaml"));

/**
 * A chat model's rating from 1 to 10 of how well an image shows the prompt that it was made from, by
 * which images are filtered (ProtoBias, section 4: 8 and above stay). The words are ours, in
 * data/metrics/prompt-rating.yaml.
 *
 * @param options.own words in place of these
 * @throws InputError for an unknown convention, a template without {text}, a model that does not chat
 *   or was made for other ratings.
 * @example promptRating({ model: openAiCompatible("qwen2.5-vl-7b"), convention: "expected" })
 */
export function promptRating(options: {
  readonly model: ChatModel;
  readonly convention?: RatingConvention;
  readonly template?: string;
  readonly own?: RatingWording | undefined;
}): Metric {
  const { identity, madeFor } = options.model;
  if (madeFor !== undefined) {
    throw new InputError(
      `Expected a model that rates from 1 to 10 for prompt-rating but received ${modelName(identity)}, ` +
        "which was made for other tasks",
      { hint: "The lab's filter is lab:filter-vqa, by its P(yes)." },
    );
  }
  return chatRating({ ...options, name: "prompt-rating", scale: 10, wording: promptWording() });
}

const promptWording = once(() => ratingWording("prompt-rating.yaml"));
