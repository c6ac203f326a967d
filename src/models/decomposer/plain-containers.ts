import type { Words } from "./decomposer-words.js";
import { isAmong } from "./is-among.js";
import type { DescribedPhrase } from "./parse-description.js";

/**
 * The phrases without those that only hold or surround the others: of "a room with a red chair" the
 * chair. What is in a room shows on it, so that "a red room" may rightly be answered with yes. One that
 * has an attribute stays, since that is to be asked about, and so does one with nothing beside it.
 */
export function withoutPlainContainers(
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
