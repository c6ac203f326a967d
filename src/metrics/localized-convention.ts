import { InputError } from "../core/errors.js";
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
