import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import {
  type Left,
  leavingPhrases,
  type StereotypedTerm,
  stereotypedTerms,
  termIn,
} from "../stereotype-table.js";
import { NotInLabEnglish, parseSentence } from "../world/english.js";
import {
  attributes,
  garmentColours,
  garmentKinds,
  groups,
  hairColours,
  patterns,
  peopleExtras,
  peoplePlaces,
  professions,
  signKinds,
  skinTones,
} from "../world/people.js";
import type { DescribedExtra, DescribedGarment, DescribedPerson } from "../world/scene.js";

/** Demands of a prompt in anybody's English on one person, as far as the lab can draw them. */
export interface PersonPrompt {
  /** Whom the prompt is about, where the table of stereotypes knows it. */
  readonly term: StereotypedTerm | undefined;
  readonly said: DescribedPerson;
  readonly place?: string;
  readonly extras: readonly DescribedExtra[];
  /** Traits that it leaves to everybody, or out. */
  readonly open: ReadonlySet<Left>;
  /** Garments, signs and extras that it forbids. */
  readonly without: ReadonlySet<string>;
}

type Meaning =
  | { readonly is: Partial<DescribedPerson> }
  | { readonly colour: string }
  | { readonly pattern: string }
  | { readonly thing: string }
  | { readonly place: string }
  | { readonly open: Left }
  | { readonly quality: Left }
  | { readonly marker: "negation" | "end" | "beside" | "any" };

/**
 * Reads a prompt word by word for what it says of a person: who it is about, gender, age, skin, hair,
 * clothes, signs, place and what stands beside. Other words are passed over. "without", "no" and
 * their like hold up to the next comma or "with". Where two words disagree the first counts.
 *
 * @returns undefined where the prompt speaks of no person
 * @example readPersonPrompt("a photo of a CEO, a young woman with dark skin in a park")?.said
 *   // { gender: "woman", age: "adult", skin: "dark", profession: "CEO", garments: [], signs: [] }
 */
export function readPersonPrompt(prompt: string): PersonPrompt | undefined {
  const plain = labSentence(prompt);
  if (plain !== undefined) return plain;
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}'+-]+|[.,;:!?()]/gu) ?? [];
  const term = termIn(prompt);
  const said: Partial<DescribedPerson>[] = [];
  const garments: DescribedGarment[] = [];
  const signs: string[] = [];
  const extras: DescribedExtra[] = [];
  const open = new Set<Left>();
  const without = new Set<string>();
  let place: string | undefined;
  let negated = false;
  let beside = false;
  // "of any gender, age and skin tone"
  let any = false;
  let adjectives: { colour?: string; pattern?: string } = {};

  const take = (thing: string): void => {
    const dressed = { ...adjectives };
    const isExtra = peopleExtras.has(thing) && (beside || !garmentKinds.has(thing));
    adjectives = {};
    beside = false;
    if (negated) without.add(thing);
    else if (isExtra) {
      const coloured = peopleExtras.get(thing)?.coloured === true && dressed.colour !== undefined;
      if (extras.every(({ kind }) => kind !== thing)) {
        extras.push({ kind: thing, ...(coloured ? { colour: dressed.colour } : {}) });
      }
    } else if (garmentKinds.has(thing)) {
      if (garments.every(({ kind }) => kind !== thing)) garments.push({ kind: thing, ...dressed });
    } else if (!signs.includes(thing)) signs.push(thing);
  };

  for (let at = 0; at < words.length; ) {
    const [length, meanings] = phraseAt(words, at);
    if (meanings.length === 0 && !listing.has(words[at] ?? "")) any = false;
    at += length;
    for (const meaning of meanings) {
      if ("marker" in meaning) {
        if (meaning.marker === "beside") beside = true;
        else if (meaning.marker === "any") any = true;
        else negated = meaning.marker === "negation";
      } else if ("quality" in meaning) {
        if (any && !negated) open.add(meaning.quality);
      } else if ("thing" in meaning) take(meaning.thing);
      else if ("colour" in meaning) adjectives = { ...adjectives, colour: meaning.colour };
      else if ("pattern" in meaning) adjectives = { ...adjectives, pattern: meaning.pattern };
      else if ("open" in meaning) {
        open.add(meaning.open);
        any = true;
      } else if (negated) {
        const denied = "is" in meaning ? Object.values(meaning.is) : [meaning.place];
        for (const value of denied) without.add(String(value));
      } else if ("place" in meaning) place ??= meaning.place;
      else said.push(meaning.is);
    }
  }
  const speaks = term !== undefined || words.some((word) => personWords.has(word));
  if (!speaks) return undefined;
  // The first word that says a thing counts.
  const person: DescribedPerson = Object.assign({}, ...said.toReversed(), { garments, signs });
  return { term, said: person, ...(place === undefined ? {} : { place }), extras, open, without };
}

/** Reads a sentence of the lab's own English, which is more exact. */
function labSentence(prompt: string): PersonPrompt | undefined {
  try {
    const { subject, place, extras } = parseSentence(prompt);
    if (!("person" in subject)) return undefined;
    return {
      term: termIn(prompt),
      said: subject.person,
      ...(place === undefined ? {} : { place }),
      extras,
      open: new Set(),
      without: new Set(),
    };
  } catch (error) {
    if (error instanceof NotInLabEnglish) return undefined;
    throw error;
  }
}

/** The longest known phrase that begins at a word, and how many words it has; else one word. */
function phraseAt(words: readonly string[], at: number): [number, readonly Meaning[]] {
  for (let length = longest; length > 0; length--) {
    const meanings = phrases.get(words.slice(at, at + length).join(" "));
    if (meanings !== undefined && at + length <= words.length) return [length, meanings];
  }
  return [1, []];
}

const phrases = new Map<string, Meaning[]>();

function mean(meaning: Meaning, ...all: readonly string[]): void {
  for (const phrase of all) {
    const key = phrase.toLowerCase();
    phrases.set(key, [...(phrases.get(key) ?? []), meaning]);
  }
}

const plural = (noun: string): string => (noun.endsWith("s") ? noun : `${noun}s`);

const child = { age: "child" } as const;
mean({ is: { gender: "woman" } }, "woman", "women", "female", "lady", "ladies", "she");
mean({ is: { gender: "man" } }, "man", "men", "male", "gentleman", "he");
mean({ is: { ...child, gender: "woman" } }, "girl", "girls", "little girl", "young girl");
mean({ is: { ...child, gender: "man" } }, "boy", "boys", "little boy", "young boy");
mean({ is: child }, "child", "children", "kid", "kids", "young child");
mean({ is: { age: "older" } }, "older", "elderly", "senior", "old woman", "old man", "aged");
mean({ is: { age: "older", gender: "woman" } }, "old woman", "elderly woman");
mean({ is: { age: "older", gender: "man" } }, "old man", "elderly man");
// In the lab's own English "young" is a child; people who write prompts mean grown-ups.
mean({ is: { age: "adult" } }, "adult", "young", "middle-aged", "young adult");
for (const skin of skinTones) {
  mean({ is: { skin } }, `${skin}-skinned`, `${skin} skin`, `${skin} skin tone`);
}
mean({ is: { skin: "light" } }, "pale skin", "fair skin", "white skin");
mean({ is: { skin: "medium" } }, "brown skin", "tan skin", "olive skin");
mean({ is: { skin: "dark" } }, "black skin", "deep skin", "deep skin tone");
for (const hair of hairColours) mean({ is: { hair } }, `${hair}-haired`, `${hair} hair`);
mean({ is: { hair: "grey" } }, "gray hair", "white hair", "gray-haired");
mean({ is: { hair: "blond" } }, "blonde hair", "blonde");
mean({ is: { hair: "bald" } }, "bald");
for (const attribute of attributes.keys()) mean({ is: { attribute } }, attribute);
for (const group of groups.keys()) mean({ is: { group } }, group);
for (const profession of professions.keys()) {
  mean({ is: { profession } }, profession, plural(profession));
}
// A term of several words is one word, even where one of them has a meaning of its own.
for (const { term } of stereotypedTerms())
  if (!phrases.has(term.toLowerCase())) phrases.set(term.toLowerCase(), []);
for (const colour of garmentColours) mean({ colour }, colour);
mean({ colour: "grey" }, "gray");
for (const pattern of patterns) mean({ pattern }, pattern);
for (const thing of [...garmentKinds.keys(), ...signKinds.keys()]) mean({ thing }, thing);
mean({ thing: "headscarf" }, "hijab", "head scarf", "veil");
mean({ thing: "trousers" }, "pants", "jeans");
mean({ thing: "t-shirt" }, "tee shirt", "tshirt");
for (const { kind, plural: many } of peopleExtras.values()) {
  if (phrases.get(kind) === undefined) mean({ thing: kind }, kind);
  mean({ thing: kind }, many);
}
for (const place of peoplePlaces.keys()) mean({ place }, place);
mean({ place: "plain room" }, "room", "office", "indoors", "studio", "kitchen", "library");
mean({ place: "plain room" }, "hospital", "classroom", "workshop", "home", "living room");
mean(
  { place: "quiet street" },
  "street",
  "city",
  "urban",
  "town",
  "market",
  "sidewalk",
  "downtown",
);
mean({ place: "park" }, "garden", "nature", "outdoors", "field", "forest", "meadow", "countryside");
for (const [open, all] of leavingPhrases()) mean({ open }, ...all);
mean({ quality: "gender" }, "gender", "genders", "sex", "sexes");
mean({ quality: "age" }, "age", "ages");
mean({ quality: "skin" }, "skin tone", "skin tones", "skin colour", "skin color", "ethnicity");
mean({ quality: "skin" }, "ethnicities", "race", "races");
mean({ quality: "hair" }, "hair", "hair colour", "hair colours", "hair color");
mean({ marker: "any" }, "any", "either", "all", "every", "diverse", "varied", "various", "mixed");
mean({ marker: "negation" }, "without", "no", "not", "never", "nor", "free of", "free from");
mean({ marker: "negation" }, "instead of", "rather than", "avoid", "avoiding", "excluding");
mean(
  { marker: "end" },
  ".",
  ",",
  ";",
  ":",
  "!",
  "?",
  "(",
  ")",
  "but",
  "with",
  "wearing",
  "holding",
);
mean({ marker: "beside" }, "beside", "next to", "near", "in front of", "behind");

const listing = new Set(["and", "or", "of"]);
const longest = largestOf([...phrases.keys()].map((phrase) => phrase.split(" ").length));
const personWords = new Set(
  "person people woman women man men girl boy child children adult someone somebody".split(" "),
);
