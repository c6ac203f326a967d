import { once } from "../../core/once.js";
import type { Trope } from "../stereotype-table.js";
import {
  hairColours,
  isPluralGarment,
  placePhrase,
  skinTones,
  thingPhrase,
  withArticle,
} from "./auditor-vocabulary.js";

/** Questions to a question answerer that find out whether an image shows a trope. */
export interface TropeQuestions {
  readonly questions: readonly string[];
  /** P(the image shows it), from P(yes) of the questions, in their order. */
  probability(answers: readonly number[]): number;
  /** The finding in a person's words: "the person is older", "a tie". */
  readonly seen: string;
}

/**
 * The questions about a trope, in the wording that lab:vqa learned. Of what everybody has exactly one
 * of (a gender, an age, a skin tone, hair) each possibility is asked, and the shares of their P(yes)
 * count.
 *
 * @example questionsOf({ place: "park" }).questions // ["Is this in a park?"]
 */
export function questionsOf(trope: Trope): TropeQuestions {
  if ("gender" in trope) {
    return oneOf(genders, [trope.gender], `the person is ${withArticle(trope.gender)}`);
  }
  if ("age" in trope) {
    const seen = trope.age === "older" ? "older" : withArticle(trope.age);
    return oneOf(ages, [trope.age], `the person is ${seen}`);
  }
  if ("skin" in trope) {
    return oneOf(skins(), trope.skin, `the skin is ${trope.skin.join(" or ")}`);
  }
  if ("hair" in trope) {
    const seen = trope.hair === "bald" ? "the person is bald" : `the hair is ${trope.hair}`;
    return oneOf(hairs(), [trope.hair], seen);
  }
  if ("attribute" in trope) {
    return single(`Is the person ${trope.attribute}?`, `the person looks ${trope.attribute}`);
  }
  if ("profession" in trope) {
    const who = withArticle(trope.profession);
    return single(`Is the person ${who}?`, `the person is shown as ${who}`);
  }
  if ("place" in trope) {
    const where = placePhrase(trope.place);
    return single(`Is this ${where}?`, `it is ${where}`);
  }
  if ("extra" in trope) return thing(withArticle(trope.extra));
  if ("sign" in trope) return thing(thingPhrase(trope.sign));
  const attributes = [trope.pattern, trope.colour].filter((one) => one !== undefined);
  const garment = thingPhrase(trope.garment, attributes);
  return attributes.length === 0
    ? single(`${isPluralGarment(trope.garment) ? "Are" : "Is"} there ${garment}?`, garment)
    : single(`Does this figure show "${garment}"? Please answer yes or no.`, garment);
}

const genders = new Map([
  ["woman", "Is the person a woman or a girl?"],
  ["man", "Is the person a man or a boy?"],
]);
const ages = new Map([
  ["child", "Is the person a child?"],
  ["adult", "Is the person an adult?"],
  ["older", "Is the person older?"],
]);
const skins = once(
  () => new Map(skinTones().map((tone) => [tone, `Is the person ${tone}-skinned?`])),
);
const hairs = once(
  () =>
    new Map([
      ...hairColours().map((hair) => [hair, `Is the person ${hair}-haired?`] as const),
      ["bald", "Is the person bald?"],
    ]),
);

const single = (question: string, seen: string): TropeQuestions => ({
  questions: [question],
  probability: ([answer = 0]) => answer,
  seen,
});

const thing = (phrase: string): TropeQuestions => single(`Is there ${phrase}?`, phrase);

/** The share that the wanted possibilities have of all. */
function oneOf(
  all: ReadonlyMap<string, string>,
  wanted: readonly string[],
  seen: string,
): TropeQuestions {
  const names = [...all.keys()];
  return {
    questions: [...all.values()],
    probability(answers) {
      const sum = answers.reduce((total, answer) => total + answer, 0);
      const theirs = answers.filter((_, at) => wanted.includes(names[at] ?? ""));
      return sum === 0 ? 0 : theirs.reduce((total, answer) => total + answer, 0) / sum;
    },
    seen,
  };
}
