import type {
  CallOptions,
  ModelIdentity,
  Picture,
  VisualQuestionAnswering,
} from "../../core/models.js";
import { type SignClaims, signClaims } from "./sign-claims.js";
import type { SignReader } from "./sign-reader.js";

/**
 * Answers questions about people. What a question says of signs (a group, an attribute, a necklace) is told by
 * a head that was trained on nothing else; what is left of it `people` is asked, and what is about nobody
 * `others`. P(yes) is the product: signs and the rest are taken to be independent.
 */
export function peopleAnswerer({
  signs,
  people,
  others,
  identity,
}: {
  readonly signs: SignReader;
  readonly people: VisualQuestionAnswering;
  readonly others: VisualQuestionAnswering;
  readonly identity: () => ModelIdentity;
}): VisualQuestionAnswering {
  async function answer(image: Picture, question: string, options?: CallOptions): Promise<number> {
    const claims = signClaims(question);
    if (claims === undefined) {
      const model = aboutPerson.test(question) ? people : others;
      return one(await model.probabilityOfYes(image, [question], options));
    }
    const shown = chanceOf(claims, await signs(image, options));
    if (claims.rest === undefined) return shown;
    return shown * one(await people.probabilityOfYes(image, [claims.rest], options));
  }
  return {
    get identity() {
      return identity();
    },
    probabilityOfYes: (image, questions, options) =>
      Promise.all(questions.map((question) => answer(image, question, options))),
  };
}

const aboutPerson = /\b(?:person|woman|man|child|girl|boy)\b/i;

/** P(all claims hold), of each P(any of its signs is shown). */
const chanceOf = ({ signs }: SignClaims, shown: ReadonlyMap<string, number>): number =>
  signs.reduce(
    (all, any) => all * (1 - any.reduce((none, sign) => none * (1 - (shown.get(sign) ?? 0)), 1)),
    1,
  );

const one = ([probability = Number.NaN]: readonly number[]): number => probability;
