import type { Random } from "touchstone-t2i/internal/core/random.js";
import {
  attributes,
  garmentColours,
  garmentKinds,
  groups,
  hairColours,
  patterns,
  peopleExtras,
  professions,
  signKinds,
} from "./people.js";
import { garmentPhrase, personPhrase, signPhrase } from "./people-english.js";
import { otherSign, tellGarment } from "./people-statements.js";
import {
  ages,
  type DescribedGarment,
  type DescribedPerson,
  type Garment,
  genders,
  type Scene,
  skinTones,
} from "./scene.js";
import {
  attributesOf,
  carries,
  garmentHolds,
  groupsOf,
  professionsOf,
  visibleHair,
} from "./truth.js";

/** Types of questions about people and clothes, beside those about any scene. */
export const peopleQuestionTypes = [
  "person",
  "gender",
  "age",
  "skin",
  "hair",
  "profession",
  "group",
  "attribute",
  "sign",
  "garment",
  "garment-colour",
  "garment-pattern",
  "binding",
] as const;

export type PeopleQuestionType = (typeof peopleQuestionTypes)[number];

/** A text and its answer. */
export interface Asked {
  readonly text: string;
  readonly answer: boolean;
}

type Sampler = (scene: Scene, random: Random, answer: boolean) => Asked | undefined;

/** A question of this type, of the wanted answer; undefined where the scene has none. */
export const askAboutPeople = (
  type: PeopleQuestionType,
  scene: Scene,
  random: Random,
  answer: boolean,
): Asked | undefined => samplers[type](scene, random, answer);

const samplers: Readonly<Record<PeopleQuestionType, Sampler>> = {
  person: ({ person }) => ({ text: "Is there a person?", answer: person !== undefined }),
  gender: oneOf(
    ({ person }) => person && [person.gender],
    () => genders,
    (gender) => `Is the person a ${gender === "woman" ? "woman or a girl" : "man or a boy"}?`,
  ),
  age: oneOf(
    ({ person }) => person && [person.age],
    () => ages,
    (age) =>
      `Is the person ${age === "older" ? "older" : age === "child" ? "a child" : "an adult"}?`,
  ),
  skin: oneOf(
    ({ person }) => person && [person.skin],
    () => skinTones,
    (skin) => `Is the person ${skin}-skinned?`,
  ),
  hair: oneOf(
    ({ person }) => {
      const hair = person && visibleHair(person);
      return hair === undefined ? undefined : [hair];
    },
    () => [...hairColours, "bald"],
    (hair) => `Is the person ${hair === "bald" ? hair : `${hair}-haired`}?`,
  ),
  profession: oneOf(
    ({ person }) => person && professionsOf(person),
    () => [...professions.keys()],
    (profession) => `Is the person ${personPhrase({ ...nobody, profession })}?`,
  ),
  group: oneOf(
    ({ person }) => person && groupsOf(person),
    () => [...groups.keys()],
    (group) => `Is there ${personPhrase({ ...nobody, group })}?`,
  ),
  attribute: oneOf(
    ({ person }) => person && attributesOf(person),
    () => [...attributes.keys()],
    (attribute) => `Is the person ${attribute}?`,
  ),
  sign({ person }, random, answer) {
    const own = person?.signs.filter((sign) => signKinds.has(sign)) ?? [];
    if (person === undefined) return undefined;
    if (own.length === 0 && (answer || !random.chance(rareNo))) return undefined;
    const like = own.length === 0 ? random.pick([...signKinds.keys()]) : random.pick(own);
    const sign = answer ? like : otherSign(like, random);
    return { text: `Is there ${signPhrase(sign)}?`, answer: person.signs.includes(sign) };
  },
  garment(scene, random, answer) {
    const garments = seenGarments(scene);
    if (garments.length === 0) return undefined;
    const others = [...garmentKinds.keys()].filter((kind) => !mayBeSeen(kind, scene));
    const kind = answer ? random.pick(garments).kind : random.pick(others);
    const phrase = garmentPhrase({ kind });
    return { text: `${garmentKinds.get(kind)?.plural ? "Are" : "Is"} there ${phrase}?`, answer };
  },
  "garment-colour": aboutGarment("colour", garmentColours),
  "garment-pattern": aboutGarment("pattern", patterns),
  binding: bindingOf,
};

/** P(a question whose answer can only be no is asked). */
const rareNo = 0.25;

const nobody: DescribedPerson = { garments: [], signs: [] };

const seenGarments = ({ person, display }: Scene): readonly Garment[] =>
  display ?? person?.garments ?? [];

/** A bag stands beside some people, and a hard hat may pass for a hat. */
const mayBeSeen = (kind: string, scene: Scene): boolean =>
  scene.person?.signs.some((sign) => sign.endsWith(` ${kind}`)) === true ||
  seenGarments(scene).some((garment) => garment.kind === kind) ||
  scene.extras.some((extra) => extra.kind === kind);

/** A question of L-VQAScore about one garment of the scene that has no twin beside it. */
function bindingOf(scene: Scene, random: Random, answer: boolean): Asked | undefined {
  const garments = seenGarments(scene).filter(
    ({ kind }) => !scene.extras.some((extra) => extra.kind === kind),
  );
  if (garments.length === 0) return undefined;
  const garment = random.pick(garments);
  return askAboutGarment(garment, garments, { random, answer });
}

/**
 * "a striped skirt": one attribute or two of a garment. Where the answer is to be no, one of them is
 * another's that is in the picture, more often than one that is on none.
 *
 * @param garments all that are in the picture; `alone`: only the one is shown, the rest is blurred
 */
export function askAboutGarment(
  garment: Garment,
  garments: readonly Garment[],
  { random, answer, alone = false }: { random: Random; answer: boolean; alone?: boolean },
): Asked {
  const told = tellGarment(garment, 0.7, random);
  const said =
    told.colour === undefined && told.pattern === undefined
      ? { ...told, ...oneAttribute(garment, random) }
      : told;
  if (answer) return { text: bindingText(said), answer };
  const others = garments.filter((other) => other !== garment);
  const lender = others.length > 0 && random.chance(0.6) ? random.pick(others) : undefined;
  const member = random.pick(
    (["colour", "pattern"] as const).filter((one) => said[one] !== undefined),
  );
  const all = member === "colour" ? garmentColours : patterns;
  const value = lender?.[member] ?? random.pick(all.filter((one) => one !== said[member]));
  const altered = { ...said, [member]: value };
  const looked = alone ? [garment] : garments;
  return {
    text: bindingText(altered),
    answer: looked.some((one) => garmentHolds(altered, one)),
  };
}

const bindingText = (said: DescribedGarment): string =>
  `Does this figure show "${garmentPhrase(said)}"? Please answer yes or no.`;

const oneAttribute = ({ colour, pattern }: Garment, random: Random): Partial<DescribedGarment> =>
  random.chance(0.5) ? { colour } : { pattern };

/** Asks for the colour or the pattern of a garment of which there is one. */
function aboutGarment(member: "colour" | "pattern", all: readonly string[]): Sampler {
  return (scene, random, answer) => {
    const garments = seenGarments(scene);
    const single = garments.filter(
      ({ kind }) =>
        garments.filter((other) => other.kind === kind).length === 1 &&
        !scene.extras.some((extra) => extra.kind === kind),
    );
    if (single.length === 0) return undefined;
    const garment = random.pick(single);
    const other = garments.filter((one) => one[member] !== garment[member]);
    const wrong =
      other.length > 0 && random.chance(0.5)
        ? random.pick(other)[member]
        : random.pick(all.filter((value) => value !== garment[member]));
    const verb = garmentKinds.get(garment.kind)?.plural === true ? "Are" : "Is";
    return { text: `${verb} the ${garment.kind} ${answer ? garment[member] : wrong}?`, answer };
  };
}

/** Asks whether one of the scene's values, or one that is none of them, holds. */
function oneOf(
  valuesOf: (scene: Scene) => readonly string[] | undefined,
  all: () => readonly string[],
  ask: (value: string) => string,
): Sampler {
  return (scene, random, answer) => {
    const values = valuesOf(scene);
    if (values === undefined) return undefined;
    // Where nothing is to be seen only no is true: asked less often, so that yes is as frequent.
    if (values.length === 0 && (answer || !random.chance(rareNo))) return undefined;
    const value = random.pick(answer ? values : all().filter((one) => !values.includes(one)));
    return { text: ask(value), answer };
  };
}

/** "Is there a book?", of what stands beside people. */
export function askForExtra(scene: Scene, random: Random, answer: boolean): Asked | undefined {
  if (scene.extras.length === 0 && (answer || !random.chance(rareNo))) return undefined;
  const present = scene.extras.map(({ kind }) => kind);
  const absent = [...peopleExtras.keys()].filter(
    (kind) => !present.includes(kind) && !carries(scene.person, kind) && !mayBeSeen(kind, scene),
  );
  const [from, other] = answer ? [present, absent] : [absent, present];
  const kind = from.length > 0 ? random.pick(from) : random.pick(other);
  return { text: `Is there a ${kind}?`, answer: present.includes(kind) };
}
