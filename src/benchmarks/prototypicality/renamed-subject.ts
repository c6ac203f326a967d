import type { Member } from "./taxonomy.js";
import { capitalised } from "./template-writer.js";

/** A sentence with `to` as its subject in place of `from`; as it is where it does not open with that. */
export function renamedSubject(sentence: string, from: Member, to: Member): string {
  const opening = capitalised(from.phrase);
  if (!sentence.startsWith(opening)) return sentence;
  const rest = sentence.slice(opening.length);
  const verb = from.plural !== true && to.plural === true ? withPluralVerb(rest) : rest;
  return `${capitalised(to.phrase)}${verb}`;
}

/** " is in a park" -> " are in a park": what follows a subject, as it follows a plural. */
const withPluralVerb = (rest: string): string =>
  rest.replace(
    /^ (\S+)/,
    (_, verb: string) => ` ${irregularPlurals[verb] ?? verb.replace(/s$/, "")}`,
  );

const irregularPlurals: Readonly<Record<string, string>> = { is: "are", was: "were", has: "have" };
