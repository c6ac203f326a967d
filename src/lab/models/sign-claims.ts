import { append } from "../../core/append.js";
import { signsOf, signVocabulary, thingPhrase, withArticle } from "./auditor-vocabulary.js";

/** Claims of a question about a person's signs, and what it says besides. */
export interface SignClaims {
  /** Each holds where any of its signs is shown. */
  readonly signs: readonly (readonly string[])[];
  /** The question without them; undefined where nothing is left to ask. */
  readonly rest: string | undefined;
}

/**
 * Takes a question in the words that the lab's answerers learned apart. Groups and attributes are said to be
 * seen by their signs.
 *
 * @returns undefined where it says nothing of signs.
 * @example signClaims("Is there a Muslim person?")
 * // { signs: [["crescent necklace", "headscarf"]], rest: undefined }
 */
export function signClaims(question: string): SignClaims | undefined {
  const [, named] = /^(?:Is|Are) there (.+)\?$/.exec(question) ?? [];
  const sign = signNamed(named);
  if (sign !== undefined) return { signs: [[sign]], rest: undefined };
  const [, group] = /^an? (\S+) person$/.exec(named ?? "") ?? [];
  const [, attribute] = /^Is the person (\S+)\?$/.exec(question) ?? [];
  const asked = [...signsOf("group", group), ...signsOf("attribute", attribute)];
  if (asked.length > 0) return { signs: asked, rest: undefined };
  const [, sentence] =
    /^Does this figure show "(.+)"\? Please answer yes or no\.$/.exec(question) ?? [];
  return sentence === undefined ? undefined : claimsOf(sentence);
}

const signNamed = (phrase: string | undefined): string | undefined =>
  signVocabulary().find((sign) => thingPhrase(sign) === phrase);

const parts = /^An? (?<words>(?:\S+ )*?)(?<noun>person|woman|man|girl|boy|child)(?<after>\b.*)$/;
const clause =
  /(?: and)? (?<verb>wearing|holding) (?<things>.+?)(?= and holding | is | with | to the |\.?$)/g;

function claimsOf(sentence: string): SignClaims | undefined {
  const { words = "", noun = "", after = "" } = parts.exec(sentence)?.groups ?? {};
  if (noun === "") return undefined;
  const said = words.split(" ").filter((word) => word !== "");
  const named: string[] = [];
  const rest = after.replace(clause, (_whole, verb: string, things: string) => {
    const all = things.split(/, | and /);
    append(
      named,
      all.flatMap((thing) => signNamed(thing) ?? []),
    );
    const others = all.filter((thing) => signNamed(thing) === undefined);
    const last = others.pop();
    if (last === undefined) return "";
    return ` ${verb} ${others.length === 0 ? "" : `${others.join(", ")} and `}${last}`;
  });
  const one = [
    ...named.map((sign) => [sign]),
    ...said.flatMap((word) => signsOf("attribute", word)),
  ];
  const shown = one.flat();
  // A group that is shown by a sign which is named is not claimed again.
  const groups = said
    .flatMap((word) => signsOf("group", word))
    .filter((any) => !any.some((sign) => shown.includes(sign)));
  const plain = said.filter(
    (word) => signsOf("attribute", word).length + signsOf("group", word).length === 0,
  );
  if (one.length + groups.length === 0 && plain.length === said.length) return undefined;
  const who = withArticle([...plain, noun].join(" "));
  const left = `${who.charAt(0).toUpperCase()}${who.slice(1)}${rest}`;
  return {
    signs: [...one.filter(([sign], at) => shown.indexOf(sign ?? "") === at), ...groups],
    rest:
      left === "A person."
        ? undefined
        : `Does this figure show "${left}"? Please answer yes or no.`,
  };
}
