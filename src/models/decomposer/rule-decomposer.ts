import type { Decomposer, DescribedEntity } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { decomposerWords, isPluralNoun, type WordKind, type Words } from "./decomposer-words.js";

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

/** An entity as a description names it. */
interface DescribedPhrase extends DescribedEntity {
  /** The whole phrase as it stands in the text, with its determiner: "a striped red skirt". */
  readonly phrase: string;
  /** The words and marks between it and the phrase before, such as "wearing". */
  readonly joints: readonly string[];
}

type Parsed = { readonly phrases: readonly DescribedPhrase[] } | { readonly problem: string };

/**
 * Takes a simple description apart: phrases of a determiner, attributes and a name, with "and",
 * commas, prepositions and a few verbs between them. Numbers are no attributes. What is not of this
 * form is left alone, since a wrong structure would be asked about as if it were right.
 *
 * @returns the phrases in their order, entities and attributes letter by letter as in the text, or
 *   what stands in the way.
 * @example parseDescription("a cat on two mats", decomposerWords())
 *   // { phrases: [{ entity: "cat", … }, { entity: "mats", … }] }
 */
export function parseDescription(text: string, words: Words): Parsed {
  const tokens = tokensOf(text, words);
  if (tokens === undefined) return { problem: "it has characters that no word has" };
  const phrases: DescribedPhrase[] = [];
  // Attributes whose entity is still to come: "a red and white shirt".
  let open: Part | undefined;
  let isAfterComma = false;
  let endOfLast = 0;
  for (const { part, after } of segmentsOf(tokens)) {
    if (part.length === 0) {
      isAfterComma ||= after === "comma";
      if (open !== undefined && after !== "comma" && after !== "conjunction") break;
      continue;
    }
    const read = partOf(part, words, after);
    if ("problem" in read) return read;
    if (open !== undefined && read.isOpened) {
      return { problem: `the name of what is "${textOf(text, open)}" is missing` };
    }
    const whole: Part =
      open === undefined
        ? read
        : {
            ...read,
            isOpened: open.isOpened,
            start: open.start,
            attributes: [...open.attributes, ...read.attributes],
          };
    if (read.name === undefined) {
      if (after !== "comma" && after !== "conjunction") {
        return { problem: `the name of what is "${textOf(text, whole)}" is missing` };
      }
      open = whole;
    } else {
      // "a striped, notched lapel, long shirt": what a comma separates may belong together.
      const isBare = !whole.isOpened && !isPluralNoun(read.name.word, words);
      if (isBare && open === undefined && isAfterComma) {
        return {
          problem: `"${textOf(text, whole)}" after a comma may be a part of what is before it`,
        };
      }
      phrases.push({
        entity: textOf(text, read.name),
        attributes: whole.attributes.map((attribute) => textOf(text, attribute)),
        phrase: textOf(text, whole),
        joints: jointsIn(tokens, { start: endOfLast, end: whole.start }),
      });
      endOfLast = whole.end;
      open = undefined;
    }
    isAfterComma = after === "comma";
  }
  if (open !== undefined)
    return { problem: `the name of what is "${textOf(text, open)}" is missing` };
  return phrases.length === 0 ? { problem: "it names nothing" } : { phrases };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A phrase, or the beginning of one. */
interface Part extends Span {
  /** Whether it begins with a determiner or a number. */
  readonly isOpened: boolean;
  readonly attributes: readonly Span[];
  readonly name: Token | undefined;
}

const textOf = (text: string, { start, end }: Span) => text.slice(start, end);

type Separator = "comma" | "stop" | "conjunction" | "connector" | "end";

const separators: readonly Token["kind"][] = ["comma", "stop", "conjunction", "connector"];

const jointsIn = (tokens: readonly Token[], { start, end }: Span): readonly string[] =>
  tokens
    .filter((token) => separators.includes(token.kind) && token.start >= start && token.end <= end)
    .map(({ word }) => word);

function segmentsOf(tokens: readonly Token[]) {
  const segments: { part: readonly Token[]; after: Separator }[] = [];
  let part: Token[] = [];
  for (const token of tokens) {
    if (!separators.includes(token.kind)) part.push(token);
    else {
      segments.push({ part, after: token.kind as Separator });
      part = [];
    }
  }
  return [...segments, { part, after: "end" as const }];
}

function partOf(
  tokens: readonly Token[],
  words: Words,
  after: Separator,
): Part | { readonly problem: string } {
  const beyond = tokens.find(({ kind }) => kind === "beyond");
  if (beyond !== undefined) return { problem: `"${beyond.word}" says more than an attribute` };
  let rest = tokens;
  let isOpened = false;
  const opens = ({ kind }: Token) => kind === "determiner" || kind === "number";
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    if (opens(first)) isOpened = true;
    // What stands before "photo of" opened that, not what follows.
    else if (first.kind === "view") isOpened = false;
    else if (first.kind !== "measure") break;
    rest = rest.slice(1);
  }
  const start = (startOfPhrase(tokens) ?? tokens[0])?.start ?? 0;
  const end = tokens.at(-1)?.end ?? start;
  const attributes: Span[] = [];
  for (let at = 0; at < rest.length; ) {
    const token = rest[at];
    if (token === undefined) break;
    const isLast = at === rest.length - 1;
    if (isLast && isName(token, words, after)) {
      const problem = problemOfName(token, words);
      if (problem !== undefined) return { problem };
      return { isOpened, attributes, name: token, start, end };
    }
    const taken = attributeAt(rest, at);
    if (taken === undefined) return { problem: `it is not clear what "${token.word}" is` };
    attributes.push({ start: token.start, end: rest[at + taken - 1]?.end ?? token.end });
    at += taken;
  }
  return attributes.length === 0
    ? { problem: `nothing is named after "${tokens.at(-1)?.word}"` }
    : { isOpened, attributes, name: undefined, start, end };
}

/** The first token after "photo of", with its determiner. */
function startOfPhrase(tokens: readonly Token[]): Token | undefined {
  return tokens[tokens.findLastIndex(({ kind }) => kind === "view") + 1];
}

/** Tells whether the last word of a phrase names the entity. */
function isName({ kind, word }: Token, words: Words, after: Separator): boolean {
  if (kind === "compound" || kind === "unknown") return true;
  if (kind !== "attribute" && kind !== "colour") return false;
  // "an orange and white cat": before "and" or a comma it is an attribute.
  return words.attributesThatAreEntities.has(word) && after !== "comma" && after !== "conjunction";
}

function problemOfName({ kind, word }: Token, { namesInIng }: Words): string | undefined {
  if (kind === "compound") return undefined;
  const stem = word.replace(/s$/, "");
  if (/ing$/.test(stem) && !namesInIng.has(stem)) return `"${word}" may be something that is done`;
  return /ly$|['’]/.test(word) ? `it is not clear what "${word}" is` : undefined;
}

/** How many words from here on make one attribute: "red", "dark red", "very tall". */
function attributeAt(tokens: readonly Token[], at: number): number | undefined {
  const kindAt = (place: number) => tokens[place]?.kind;
  const kind = kindAt(at);
  if (kind === "attribute" || kind === "colour") return 1;
  if (kind === "shade") return kindAt(at + 1) === "colour" ? 2 : 1;
  if (kind === "adverb") {
    const more = attributeAt(tokens, at + 1);
    return more === undefined ? undefined : more + 1;
  }
  return undefined;
}

/** A word, or a phrase that means one thing, with its place in the text. */
interface Token {
  readonly kind: WordKind | "comma" | "stop" | "unknown";
  /** In lower case, with one blank between words. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The words of a text, phrases taken together, the longest first.
 *
 * @returns undefined where the text has characters that no word has.
 */
function tokensOf(text: string, { kinds, longest }: Words): Token[] | undefined {
  const pieces = piecesOf(text);
  if (pieces === undefined) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < pieces.length; ) {
    let taken = 0;
    for (let count = Math.min(longest, pieces.length - at); count > 0 && taken === 0; count--) {
      const phrase = pieces.slice(at, at + count);
      const word = phrase.map((piece) => piece.word).join(" ");
      const kind = kinds.get(word) ?? (count === 1 ? kindOf(word) : undefined);
      const [first, last] = [phrase[0], phrase.at(-1)];
      if (kind === undefined || first === undefined || last === undefined) continue;
      tokens.push({ kind, word, start: first.start, end: last.end });
      taken = count;
    }
    at += taken;
  }
  return tokens;
}

function kindOf(word: string): Token["kind"] {
  if (word === ",") return "comma";
  if (/^[.;:!]$/.test(word)) return "stop";
  return /^\d+$/.test(word) ? "number" : "unknown";
}

function piecesOf(text: string): Piece[] | undefined {
  const found = [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|[&,.;:!]|\S/gu)];
  const pieces = found.map(({ 0: piece, index }) => ({
    word: piece.toLowerCase(),
    start: index,
    end: index + piece.length,
  }));
  return pieces.some(({ word }) => /^[^\p{L}\p{N}&,.;:!]$/u.test(word)) ? undefined : pieces;
}
