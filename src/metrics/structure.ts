import { InputError } from "../core/errors.js";
import { canonicalJson, type Json } from "../core/json.js";
import type { CallOptions, Decomposer, DescribedEntity, Model } from "../core/models.js";
import { withArticles } from "../core/phrases.js";
import { NoAnswer } from "../core/unscored.js";
import { isPluralNoun } from "../models/decomposer/decomposer-words.js";
import { fillTemplate } from "./template.js";
import { vqaTemplate } from "./vqa-score.js";

/**
 * Finds a text's entities with their attributes: as the input has them, else as the decomposer finds.
 *
 * @throws NoAnswer "not-applicable" where the structure has no attribute to ask about.
 */
export async function structureFor(
  {
    text,
    structure,
    decomposer,
  }: {
    readonly text: string;
    readonly structure: readonly DescribedEntity[] | undefined;
    readonly decomposer: Decomposer | undefined;
  },
  options?: CallOptions,
): Promise<readonly DescribedEntity[]> {
  const found = structure ?? (await decomposer?.decompose(text, options)) ?? [];
  if (found.some(({ attributes }) => attributes.length > 0)) return found;
  throw new NoAnswer("not-applicable", `There is no attribute in "${text}" to ask about`);
}

/** A structure as the details of a score hold it. */
export const plainStructure = (structure: readonly DescribedEntity[]): Json =>
  structure.map(({ entity, attributes }) => ({ entity, attributes }));

/** @throws NoAnswer "unparsable" where the model did not answer each question with a probability. */
export function checkedProbabilities(
  probabilities: readonly number[],
  questions: readonly string[],
): readonly number[] {
  const isSound = (value: number) => value >= 0 && value <= 1;
  if (probabilities.length === questions.length && probabilities.every(isSound)) {
    return probabilities;
  }
  throw new NoAnswer(
    "unparsable",
    `Expected ${questions.length} probabilities but received ${canonicalJson(
      probabilities.map(String),
    )}`,
  );
}

/** How L-VQAScore and BLIP-VQA put an attribute to its entity; as English has it, "blue trousers". */
const phrase = "a {attribute} {entity}";

/**
 * The question about an attribute of an entity, with {attribute} and {entity} where they go: as the
 * caller has it, else as the model needs it for this metric, else the phrase "a {attribute}
 * {entity}" in the question that the model needs for VQAScore.
 *
 * @throws InputError where there is no place for both.
 */
export function attributeTemplate(
  model: Model,
  { metric, template }: { readonly metric: string; readonly template?: string | undefined },
): string {
  const { templates } = model;
  const wording = template ?? templates?.[metric] ?? templates?.["vqa-score"] ?? vqaTemplate;
  const whole = fillTemplate(wording, phrase);
  if (whole.includes("{attribute}") && whole.includes("{entity}")) return whole;
  throw new InputError(
    `Expected {attribute} and {entity}, or {text}, somewhere in the template but received "${wording}"`,
  );
}

/**
 * The question about one attribute: the phrase with the article that fits, none before a plural.
 *
 * @example attributeQuestion("a {attribute} {entity}?", { attribute: "red", entity: "cat" }) // "a red cat?"
 */
export const attributeQuestion = (
  template: string,
  { attribute, entity }: { readonly attribute: string; readonly entity: string },
): string =>
  template
    .replaceAll(phrase, () => nounPhrase(attribute, entity))
    .replaceAll(/\{(attribute|entity)\}/g, (_, place: string) =>
      place === "entity" ? entity : attribute,
    );

const nounPhrase = (attribute: string, entity: string): string =>
  isPluralNoun(entity) ? `${attribute} ${entity}` : withArticles(`a ${attribute} ${entity}`);
