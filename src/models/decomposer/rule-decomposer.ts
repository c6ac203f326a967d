import type { Decomposer, DescribedEntity } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { decomposerWords } from "./decomposer-words.js";
import { type DescribedPhrase, parseDescription } from "./parse-description.js";
import { withoutPlainContainers, withoutPlainWearers } from "./plain-phrases.js";

/**
 * Takes simple descriptions apart by rules and the words of data/decomposer/words.yaml, without a
 * model. Other texts are "not-applicable", naming the word that no rule takes. A phrase without an attribute
 * that only wears, carries, holds or surrounds the others is dropped.
 *
 * @example await ruleDecomposer().decompose("a striped red skirt and a dotted blue jacket")
 *   // [{ entity: "skirt", attributes: ["striped", "red"] },
 *   //  { entity: "jacket", attributes: ["dotted", "blue"] }]
 */
export function ruleDecomposer(): Decomposer {
  const words = decomposerWords();
  return {
    identity: { provider: "rules", model: "noun-phrases", revision: words.hash.slice(0, 8) },
    async decompose(text, options): Promise<readonly DescribedEntity[]> {
      options?.signal?.throwIfAborted();
      const phrases = withoutPlainWearers(describedPhrases(text), words);
      return withoutPlainContainers(phrases, words).map(({ entity, attributes }) => ({
        entity,
        attributes,
      }));
    },
  };
}

/**
 * Returns all noun phrases of a simple description, by the same rules.
 *
 * @throws NoAnswer "not-applicable" where the rules can't tell.
 */
export function describedPhrases(text: string): readonly DescribedPhrase[] {
  const parsed = parseDescription(text, decomposerWords());
  if ("phrases" in parsed) return parsed.phrases;
  throw new NoAnswer(
    "not-applicable",
    `The rules can't take the text apart, since ${parsed.problem}: "${text}"`,
  );
}
