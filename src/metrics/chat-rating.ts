import { z } from "zod";
import type { Metric } from "../core/metric.js";
import { type ChatModel, modelFacts, turn } from "../core/models.js";
import { packagedYaml } from "../files/packaged-yaml.js";
import { rating } from "../models/chat/rating-answer.js";
import { checkModel } from "./check-model.js";
import { checkConvention } from "./convention.js";
import { checkTemplate, fillTemplate } from "./template.js";

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
}

/**
 * A metric that has a chat model rate one image from 1 to `scale`.
 *
 * @throws InputError for an unknown convention, a template without {text} or a model that does not
 *   chat.
 */
export function chatRating({
  name,
  scale,
  wording: { instruction, question, answer },
  model,
  convention = "json",
  template,
}: {
  readonly name: string;
  readonly scale: number;
  readonly wording: RatingWording;
  readonly model: ChatModel;
  readonly convention?: RatingConvention | undefined;
  /** The question, with {text} where the text goes; how it is to be answered is said after it. */
  readonly template?: string | undefined;
}): Metric {
  checkModel(model, { metric: name, needs: ["ChatModel"] });
  checkConvention(ratingConventions, convention, name);
  const { way, statistic } = ratingConventions[convention];
  const asked = checkTemplate(template ?? model.templates?.[name] ?? question);
  return {
    name,
    version: 1,
    convention,
    template: asked,
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
      const given = await rating({ model, request, scale, way }, options);
      const { value, ...details } = given;
      return {
        value,
        question: filled,
        ...(details.probabilities === undefined ? {} : { details }),
      };
    },
  };
}

const schema = z.strictObject({
  instruction: z.string().min(1),
  question: z.string().includes("{text}"),
  answer: z.strictObject({ json: z.string().min(1), expected: z.string().min(1) }),
});

/** The wording in a file of data/metrics. */
export const ratingWording = (file: string): RatingWording =>
  schema.parse(packagedYaml(`metrics/${file}`));
