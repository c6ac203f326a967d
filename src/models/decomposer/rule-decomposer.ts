import type { Decomposer, DescribedEntity } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { decomposerWords, type Words } from "./decomposer-words.js";
import { type DescribedPhrase, parseDescription } from "./parse-description.js";

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

/**
 * Drops phrases that only wear or carry the others: "a woman wearing a striped skirt and a dotted shirt"
 * keeps skirt and shirt. What a woman wears shows on her, so that "a striped woman" may rightly be
 * answered with yes. A phrase with an attribute stays, since there is a question about it.
 *
 * The wearer is the phrase before, unless it can be worn itself, and the nearest person of the sentence
 * with those joined to them: "a woman on a bench wearing a red hat" leaves open which of the two wears it,
 * so both are dropped.
 */
export function withoutPlainWearers(
  phrases: readonly DescribedPhrase[],
  words: Words,
): readonly DescribedPhrase[] {
  const wearers = new Set(sentencesOf(phrases).flatMap((sentence) => wearersIn(sentence, words)));
  return phrases.filter((phrase) => phrase.attributes.length > 0 || !wearers.has(phrase));
}

function sentencesOf(phrases: readonly DescribedPhrase[]): DescribedPhrase[][] {
  const sentences: DescribedPhrase[][] = [];
  for (const phrase of phrases) {
    const current = sentences.at(-1);
    if (current === undefined || phrase.joints.some(isStop)) sentences.push([phrase]);
    else current.push(phrase);
  }
  return sentences;
}

function wearersIn(
  sentence: readonly DescribedPhrase[],
  { wearing, dressing, persons, wearables }: Words,
): DescribedPhrase[] {
  const isPerson = isAmong(persons);
  const isWearable = isAmong(wearables);
  return sentence.flatMap((worn, at) => {
    const before = sentence[at - 1];
    if (before === undefined) return [];
    const isDressing = worn.joints.some((joint) => dressing.has(joint));
    const isSaid =
      worn.joints.some((joint) => wearing.has(joint)) ||
      (isDressing && (isPerson(before) || isWearable(worn)));
    if (!isSaid) return [];
    const earlier = sentence.slice(0, at);
    return [...(isWearable(before) ? [] : [before]), ...nearestPersons(earlier, isPerson)];
  });
}

/** The last person, with the persons joined to them before: "a woman and a man". */
function nearestPersons(
  phrases: readonly DescribedPhrase[],
  isPerson: (phrase: DescribedPhrase) => boolean,
): readonly DescribedPhrase[] {
  const last = phrases.findLastIndex(isPerson);
  const persons = phrases.slice(0, last + 1);
  const apart = persons.findLastIndex(
    (phrase, at) => !(isPerson(phrase) && (at === last || persons[at + 1]?.joints.every(isAnd))),
  );
  return persons.slice(apart + 1);
}

const isStop = (joint: string) => /^[.;:!]$/.test(joint);
const isAnd = (joint: string) => /^(and|&|,)$/.test(joint);

/**
 * Drops phrases that only hold or surround the others: "a room with a red chair" keeps the chair. What is
 * in a room shows on it, so that "a red room" may rightly be answered with yes. A phrase with an attribute
 * stays, and so does a single phrase.
 */
function withoutPlainContainers(
  phrases: readonly DescribedPhrase[],
  { places, holders, holding, heldBy }: Words,
): readonly DescribedPhrase[] {
  if (phrases.length < 2) return phrases;
  const isPlace = isAmong(places);
  const isHolder = isAmong(holders);
  return phrases.filter((phrase, at) => {
    if (phrase.attributes.length > 0) return true;
    const holds = phrases[at + 1]?.joints.some((joint) => holding.has(joint)) === true;
    const isAround = at > 0 && phrase.joints.some((joint) => heldBy.has(joint));
    return !(isPlace(phrase) || (isHolder(phrase) && (holds || isAround)));
  });
}

/** Tests if a phrase is one of the names, by all its words or by the last. */
const isAmong =
  (names: ReadonlySet<string>) =>
  ({ entity }: Pick<DescribedPhrase, "entity">): boolean => {
    const name = entity.toLowerCase().replaceAll(/\s+/g, " ");
    return names.has(name) || names.has(name.split(" ").at(-1) ?? name);
  };
