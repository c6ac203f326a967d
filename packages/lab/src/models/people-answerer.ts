import { readFile } from "node:fs/promises";
import { append } from "touchstone-t2i/internal/core/arrays.js";
import { once } from "touchstone-t2i/internal/core/cache.js";
import type {
  CallOptions,
  ModelIdentity,
  Picture,
  VisualQuestionAnswering,
} from "touchstone-t2i/internal/core/models.js";
import { z } from "zod";
import { signsOf, signVocabulary, thingPhrase, withArticle } from "./auditor.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";

/**
 * Makes an answerer of questions about people. `signs`, a head trained on signs alone, answers what a
 * question claims of signs (a group, an attribute, a necklace); `people` answers the rest of it. `others`
 * answers questions about no person. P(yes) is the product: signs and the rest are taken as independent.
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

/** P(all claims hold): the product over claims of P(any of the claim's signs is shown). */
const chanceOf = ({ signs }: SignClaims, shown: ReadonlyMap<string, number>): number =>
  signs.reduce(
    (all, any) => all * (1 - any.reduce((none, sign) => none * (1 - (shown.get(sign) ?? 0)), 1)),
    1,
  );

const one = ([probability = Number.NaN]: readonly number[]): number => probability;

/** A question's claims about a person's signs, and the rest of the question. */
export interface SignClaims {
  /** A claim holds where any of its signs is shown. */
  readonly signs: readonly (readonly string[])[];
  /** The question without these claims; undefined where nothing is left. */
  readonly rest: string | undefined;
}

/**
 * Splits a question, in the words that the lab's answerers learned, into claims about signs and the rest. A
 * group or an attribute is a claim about its signs.
 *
 * @returns undefined where the question has no claim about signs.
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
  // A group with a sign that is named already is no further claim.
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

/** P(the person in a picture shows it), by sign. */
type SignReader = (image: Picture, options?: CallOptions) => Promise<ReadonlyMap<string, number>>;

const config = z.object({ signs: z.array(z.string()).min(1) });

/** From a folder as `lookingModel` reads it, with onnx/sign_model.onnx (features -> logits [1, signs]). */
export function signReader(directory: URL, runtime?: Runtime): SignReader {
  const model = lookingModel(directory, "sign_model", { runtime });
  const names = once(async () => {
    const text = await readFile(new URL("config.json", directory), "utf8");
    return config.parse(JSON.parse(text)).signs;
  });
  return async (image, options) => {
    const { data } = await model.look(image, options);
    const signs = await names();
    return new Map(signs.map((sign, at) => [sign, 1 / (1 + Math.exp(-(data[at] ?? -Infinity)))]));
  };
}
