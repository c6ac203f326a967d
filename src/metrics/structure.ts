import { canonicalJson, type Json } from "../core/json.js";
import type { CallOptions, Decomposer, DescribedEntity } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";

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
