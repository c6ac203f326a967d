import { factsOfModels, type Metric } from "../core/metric.js";
import type { Decomposer, VisualQuestionAnswering } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { describedPhrases } from "../models/decomposer/rule-decomposer.js";
import { checkModel } from "./check-model.js";
import {
  attributeQuestion,
  attributeTemplate,
  checkedProbabilities,
  plainStructure,
  structureFor,
} from "./structure.js";
import { checkConvention, checkTemplate, fillTemplate } from "./template.js";

/**
 * Subjects of the questions:
 * - `attributes`: each attribute with its entity, of the structure that came with the text or that a
 *   decomposer finds; where there is neither, as `noun-phrases` (L-VQAScore's baseline has it so);
 * - `noun-phrases`: each noun phrase of the text, as T2I-CompBench has it.
 */
export const blipVqaConventions = { attributes: {}, "noun-phrases": {} } as const;

export type BlipVqaConvention = keyof typeof blipVqaConventions;

const name = "blip-vqa";
/** T2I-CompBench asks with the bare phrase. */
const publishedTemplate = "{text}?";

/**
 * BLIP-VQA: the product of P(yes) over the parts of a text, each asked about on the whole image
 * (Huang et al. 2023, "T2I-CompBench", section 4.1), in [0, 1]. The published metric asks BLIP; this
 * is its rule with whichever model is given. Which questions were asked is in the details.
 *
 * @param options.template the question, with {text} where the phrase goes; published is "{text}?". One
 *   with {attribute} and {entity} in its place asks of texts with a structure alone.
 * @param options.decomposer finds the structure of texts that come without one
 * @throws InputError for an unknown convention, a template without {text} or a model that answers
 *   no questions.
 */
export function blipVqa({
  model,
  decomposer,
  convention = "attributes",
  template,
}: {
  readonly model: VisualQuestionAnswering;
  readonly decomposer?: Decomposer | undefined;
  readonly convention?: BlipVqaConvention;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["VisualQuestionAnswering"] });
  checkConvention(blipVqaConventions, convention, name);
  const wording = template ?? model.templates?.[name] ?? publishedTemplate;
  const aboutAttribute = attributeTemplate(model, { metric: name, template: wording });
  const asksAttributes = convention === "attributes";
  if (!asksAttributes) checkTemplate(wording);
  return {
    name,
    // Noun phrases are asked about as the text has them.
    version: asksAttributes ? 2 : 1,
    convention,
    template: wording,
    statistic: "product of P(yes)",
    ...factsOfModels([model], asksAttributes ? decomposer : undefined),
    range: [0, 1],
    direction: "higher",
    async score({ image, text, structure }, options) {
      const isByAttribute = asksAttributes && (structure !== undefined || decomposer !== undefined);
      const entities = isByAttribute
        ? await structureFor({ text, structure, decomposer }, options)
        : undefined;
      const questions =
        entities === undefined
          ? describedPhrases(text).map(({ phrase }) => aboutPhrase(wording, phrase))
          : entities.flatMap(({ entity, attributes }) =>
              attributes.map((attribute) =>
                attributeQuestion(aboutAttribute, { attribute, entity }),
              ),
            );
      const distinct = [...new Set(questions)];
      const probabilities = checkedProbabilities(
        await model.probabilityOfYes(image, distinct, options),
        distinct,
      );
      return {
        value: probabilities.reduce((product, probability) => product * probability, 1),
        details: {
          asked: isByAttribute ? "attributes" : "noun-phrases",
          ...(entities === undefined ? {} : { entities: plainStructure(entities) }),
          questions: distinct.map((question, at) => ({
            question,
            probability: probabilities[at] ?? null,
          })),
        },
      };
    },
  };
}

function aboutPhrase(template: string, phrase: string): string {
  if (template.includes("{text}")) return fillTemplate(template, phrase);
  throw new NoAnswer(
    "not-applicable",
    `"${template}" asks about an attribute of an entity, and the text came without any`,
  );
}
