import {
  distinctQuestions,
  type LocalizedQuestion,
} from "../analysis/confusion/localized-questions.js";
import type { DescribedEntity } from "../core/models.js";
import type { LeakagePairing } from "./localized-convention.js";

/** A question, and the entity on whose localised image it is asked. */
export interface PlacedQuestion extends LocalizedQuestion {
  readonly on: string;
}

/**
 * The questions of L-VQAScore (Eq. 4 and 5): on the image of each entity its own attributes, which
 * should be there (reflection), and those of the other entities, which should not (leakage). A
 * leakage question that equals a reflection question is dropped, and so is one asked twice.
 *
 * The paper's entities are garments alone, next to each other; its prompts name nobody who wears them. So
 * a wearer without attributes should not be in the structure, and decomposers leave them out: what
 * they wear shows on them, and "a striped woman" may rightly be answered with yes. One with attributes
 * ("a young woman") is an entity as Eq. 4 and 5 have it, is asked about them, and is asked about
 * those of what they wear, too, which a right image may cost F1. The same holds of what contains the
 * others, a room or a basket. An entity without attributes that wears and contains nothing ("a dog beside a red ball") can still be leaked on, and is asked about that.
 *
 * With `leakage: "reference"` the leakage questions name the other entity, and none is dropped.
 */
export function localizedQuestionsOf(
  structure: readonly DescribedEntity[],
  leakage: LeakagePairing,
): readonly PlacedQuestion[] {
  const questions = structure.flatMap(({ entity: on, attributes }, at) => [
    ...attributes.map(
      (attribute): PlacedQuestion => ({
        on,
        entity: on,
        attribute,
        kind: "reflection",
      }),
    ),
    ...structure
      .filter((_, other) => other !== at)
      .flatMap((other) =>
        other.attributes.map(
          (attribute): PlacedQuestion => ({
            on,
            entity: leakage === "paper" ? on : other.entity,
            attribute,
            kind: "leakage",
          }),
        ),
      ),
  ]);
  return leakage === "paper" ? distinctQuestions(questions).kept : questions;
}
