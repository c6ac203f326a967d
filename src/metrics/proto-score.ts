import { z } from "zod";
import { once } from "../core/cache.js";
import type { Metric } from "../core/metric.js";
import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  modelFacts,
  turn,
} from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { packagedYaml } from "../files/yaml.js";
import { type AnswerWay, answerShares } from "../models/chat/answer-shares.js";
import { checkModel } from "./check-model.js";
import { checkConvention, checkTemplate, fillTemplate } from "./template.js";

/**
 * How the score is read from the digit that the model answers with:
 * - `expected-or-written`: `expected` where the model gives log-probabilities, else `written`; each score's
 *   details say which;
 * - `expected`: the mean under the probabilities of the ten digits;
 * - `written`: the digit itself.
 */
export const protoScoreConventions = {
  "expected-or-written": { statistic: "sum of k P(k) / 9, or k / 9" },
  expected: { statistic: "sum of k P(k) / 9" },
  written: { statistic: "k / 9" },
} as const;

export type ProtoScoreConvention = keyof typeof protoScoreConventions;

const name = "proto-score";
const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const spellings = Object.fromEntries(digits.map((digit) => [digit, [digit]]));

/**
 * A score in [0, 1] of one image by a model that was trained against prototypicality (ProtoBias,
 * section 5): one digit, divided by 9. Any multimodal model can be asked; training/proto_score trains one,
 * and the lab has `lab:proto-score`.
 *
 * @param options.template the question, with {text} where the text goes
 * @throws InputError for an unknown convention, a template without {text} or a model that does not chat.
 */
export function protoScore({
  model,
  convention = "expected-or-written",
  template,
}: {
  readonly model: ChatModel;
  readonly convention?: ProtoScoreConvention;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["ChatModel"] });
  checkConvention(protoScoreConventions, convention, name);
  const { instruction, question, answer } = wording();
  const asked = checkTemplate(template ?? model.templates?.[name] ?? question);
  // Who once gave no log-probabilities is not asked for them again.
  let way: AnswerWay = convention === "written" ? "samples" : "tokens";
  const read = async (request: ChatRequest, options?: CallOptions) => {
    const reading = way;
    try {
      return { reading, ...(await answerShares({ model, request, spellings, way }, options)) };
    } catch (error) {
      const isSilent = error instanceof NoAnswer && error.reason === "not-applicable";
      if (!isSilent || reading === "samples" || convention === "expected") throw error;
      const written = await answerShares({ model, request, spellings, way: "samples" }, options);
      way = "samples";
      return { reading: way, ...written };
    }
  };
  return {
    name,
    version: 1,
    convention,
    template: asked,
    statistic: protoScoreConventions[convention].statistic,
    ...modelFacts(model.identity),
    range: [0, 1],
    direction: "higher",
    async score({ image, text }, options) {
      const filled = fillTemplate(asked, text);
      const request = {
        messages: [turn("system", instruction), turn("user", image, `${filled}\n${answer}`)],
        temperature: 0,
      } as const;
      const { reading, shares, remaining } = await read(request, options);
      const probabilities = digits.map((digit) => shares[digit] ?? 0);
      const value = probabilities.reduce((sum, share, digit) => sum + (share * digit) / 9, 0);
      return {
        value: Math.min(1, Math.max(0, value)),
        question: filled,
        details:
          reading === "tokens"
            ? { read: "expected", probabilities, remaining }
            : { read: "written" },
      };
    },
  };
}

const schema = z.strictObject({
  instruction: z.string().min(1),
  question: z.string().includes("{text}"),
  answer: z.string().min(1),
});

const wording = once(() => schema.parse(packagedYaml("metrics/proto-score.yaml")));
