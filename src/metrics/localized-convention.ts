import {
  distinctQuestions,
  type LocalizedQuestion,
} from "../analysis/confusion/attributed-images.js";
import { InputError } from "../core/errors.js";
import type { DescribedEntity } from "../core/models.js";
import { type LocalizationStrategy, localizationStrategies } from "../images/localize.js";
import { type LocalizedScore, localizedScoreNames } from "../stats/localized-answers.js";

/**
 * Which leakage questions are asked on the image of an entity: `paper`, whether it has the others'
 * attributes; `reference`, whether the others, with their attributes, are to be seen on it, as the
 * public code asks.
 */
export const leakagePairings = ["paper", "reference"] as const;
export type LeakagePairing = (typeof leakagePairings)[number];

export interface LocalizedConvention {
  /** Which of the three numbers of L-VQAScore is the score. */
  readonly target: LocalizedScore;
  readonly strategy: LocalizationStrategy;
  readonly leakage: LeakagePairing;
}

/** As tables print it: "f1:blurring+cropping:paper". */
export const conventionText = ({ target, strategy, leakage }: LocalizedConvention): string =>
  [target, strategy, leakage].join(":");

const published: LocalizedConvention = {
  target: "f1",
  strategy: "blurring+cropping",
  leakage: "paper",
};

/** Every convention there is, the published one first. */
export const localizedConventions: readonly string[] = [
  ...new Set([
    conventionText(published),
    ...localizedScoreNames.flatMap((target) =>
      localizationStrategies.flatMap((strategy) =>
        leakagePairings.map((leakage) => conventionText({ target, strategy, leakage })),
      ),
    ),
  ]),
];

/**
 * Reads a convention; what it leaves out is as published.
 *
 * @throws InputError for a word that names nothing, or two for one thing.
 * @example parseConvention("recall:masking") // { target: "recall", strategy: "masking", leakage: "paper" }
 */
export function parseConvention(text: string): LocalizedConvention {
  const words = text.split(":");
  const one = <Word extends string>(choices: readonly Word[]) => {
    const named = choices.filter((choice) => words.includes(choice));
    return named.length <= 1 ? named[0] : undefined;
  };
  const target = one(localizedScoreNames);
  const strategy = one(localizationStrategies);
  const leakage = one(leakagePairings);
  const read = [target, strategy, leakage].filter((word) => word !== undefined);
  if (read.length !== words.length) {
    throw new InputError(
      `Expected up to one each of ${localizedScoreNames.join(", ")}; ${localizationStrategies.join(", ")}; ` +
        `and ${leakagePairings.join(", ")}, with : between, after localized-vqa-score: but received "${text}"`,
      { hint: `Such as localized-vqa-score:${conventionText(published)}` },
    );
  }
  return {
    target: target ?? published.target,
    strategy: strategy ?? published.strategy,
    leakage: leakage ?? published.leakage,
  };
}

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
