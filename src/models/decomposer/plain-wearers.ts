import type { Words } from "./decomposer-words.js";
import { isAmong } from "./is-among.js";
import type { DescribedPhrase } from "./parse-description.js";

/**
 * The phrases without those who only wear or carry the others: of "a woman wearing a striped skirt and
 * a dotted shirt" skirt and shirt. What they wear shows on them, so that "a striped woman" may rightly be
 * answered with yes. One who has an attribute stays, since that is to be asked about.
 *
 * Who wears is the phrase before, unless that can be worn itself, and the nearest person of the
 * sentence with those joined to them: "a woman on a bench wearing a red hat" does not tell which of
 * them it is, so of neither is anything concluded from red.
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

/** The last person, and those before who are joined to them: "a woman and a man". */
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
