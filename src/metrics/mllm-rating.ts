import { z } from "zod";
import type { Metric } from "../core/metric.js";
import { type ChatModel, modelFacts } from "../core/models.js";
import { once } from "../core/once.js";
import { packagedYaml } from "../files/packaged-yaml.js";
import { rating } from "../models/chat/rating.js";
import { checkModel } from "./check-model.js";
import { checkConvention } from "./convention.js";
import { checkTemplate, fillTemplate } from "./template.js";

/**
 * How the rating is read:
 * - `json`: the whole number that the model answers with;
 * - `expected`: the mean of 1 to 4 under the probabilities of the digit it answers with, which needs
 *   a model that gives log-probabilities. It is another number of another kind.
 */
export const mllmConventions = {
  json: { way: "json", statistic: "rating" },
  expected: { way: "tokens", statistic: "sum of k P(k)" },
} as const;

export type MllmConvention = keyof typeof mllmConventions;

const name = "mllm-rating";
const scale = 4;

/**
 * A multimodal model as a judge of one image: how much of the text's meaning it shows, from 1 (the
 * main subject is wrong) to 4 (all of it), by the strict rules of data/metrics/mllm-rating.yaml.
 * The idea of the rules is ProtoBias' (Table 6); the words are ours.
 *
 * @param options.template the question, with {text} where the text goes; how it is to be answered is
 *   said after it
 * @throws InputError for an unknown convention, a template without {text} or a model that does not
 *   chat.
 */
export function mllmRating({
  model,
  convention = "json",
  template,
}: {
  readonly model: ChatModel;
  readonly convention?: MllmConvention;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["ChatModel"] });
  checkConvention(mllmConventions, convention, name);
  const { way, statistic } = mllmConventions[convention];
  const { instruction, question, answer } = wording();
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
          { role: "system", parts: [{ type: "text", text: instruction }] },
          {
            role: "user",
            parts: [
              { type: "image", image },
              { type: "text", text: `${filled}\n${answer[convention]}` },
            ],
          },
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

const wording = once(() => schema.parse(packagedYaml("metrics/mllm-rating.yaml")));
