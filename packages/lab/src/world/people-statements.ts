import type { Random } from "touchstone-t2i/internal/core/random.js";
import {
  areasOf,
  attributes,
  garmentColours,
  garmentKinds,
  groups,
  hairColours,
  patterns,
  professions,
  signKinds,
} from "./people.js";
import {
  ages,
  type DescribedGarment,
  type DescribedPerson,
  type DescribedSubject,
  type Garment,
  genders,
  type Person,
  type Scene,
  skinTones,
} from "./scene.js";
import { attributesOf, groupsOf, professionsOf, visibleHair } from "./truth.js";

/** P(the person is called just that), and P(each thing that may be said is). */
export interface PeopleTelling {
  readonly hypernym: number;
  readonly attribute: number;
  /** P(an attribute such as "polite" is said of a person of these groups), where it is not `attribute`. */
  readonly ofPerson?: (attribute: string, groups: readonly string[]) => number;
}

/** Sentences stay short enough for the models: of each list at most so many are said. */
const most = { garments: 2, adjectives: 2, signs: 1 };

/** Draws a true statement about a scene's person or clothes; undefined where it has neither. */
export function tellPeople(
  scene: Scene,
  telling: PeopleTelling,
  random: Random,
): DescribedSubject | undefined {
  const { person, display, extras } = scene;
  if (person !== undefined) {
    return { person: tellPerson(person, extras.length > 0 ? 1 : most.garments, telling, random) };
  }
  if (display === undefined) return undefined;
  const garments = random
    .shuffle(display)
    .slice(0, 1 + random.integer(Math.min(display.length, most.garments)))
    .map((garment) => tellGarment(garment, telling.attribute, random));
  return { garments, onDisplay: random.chance(0.8) };
}

function tellPerson(
  person: Person,
  garments: number,
  { hypernym, attribute: rate, ofPerson }: PeopleTelling,
  random: Random,
): DescribedPerson {
  const named = !random.chance(hypernym);
  const hair = visibleHair(person);
  const adjectives = [
    ...attributesOf(person).map((attribute) => ({ attribute })),
    ...groupsOf(person).map((group) => ({ group })),
    { skin: person.skin },
    ...(hair === undefined ? [] : [{ hair }]),
  ].filter((said, index) => {
    const usual = index < 2 ? rate : rate / 3;
    const own = "attribute" in said ? ofPerson?.(said.attribute, groupsOf(person)) : undefined;
    return random.chance(own ?? usual);
  });
  const [profession] = professionsOf(person);
  const noun: Partial<DescribedPerson> =
    named && profession !== undefined
      ? { profession }
      : { ...(random.chance(rate) ? { gender: person.gender } : {}) };
  const young = person.age === "child" && noun.gender !== undefined;
  const age = young || (person.age !== "adult" && random.chance(rate)) ? { age: person.age } : {};
  const signs = person.signs.filter((sign) => signKinds.has(sign));
  return {
    ...Object.assign({}, ...random.shuffle(adjectives).slice(0, most.adjectives)),
    ...(named ? { ...noun, ...age } : {}),
    garments: random
      .shuffle(person.garments)
      .slice(0, random.integer(garments + 1))
      .map((garment) => tellGarment(garment, rate, random)),
    signs: random
      .shuffle(signs)
      .slice(0, most.signs)
      .filter(() => random.chance(rate / 2)),
  };
}

/** Says a garment's kind, and of colour and pattern each with probability `rate`. */
export function tellGarment(
  { kind, colour, pattern }: Garment,
  rate: number,
  random: Random,
): DescribedGarment {
  return {
    kind,
    ...(random.chance(rate) ? { colour } : {}),
    // That something is plain is worth saying less often.
    ...(random.chance(pattern === "plain" ? rate / 4 : rate) ? { pattern } : {}),
  };
}

/** One word of what is said of people or clothes replaced; undefined where nothing can be. */
export function alterPeople(said: DescribedSubject, random: Random): DescribedSubject | undefined {
  if ("person" in said) {
    const person = alterPerson(said.person, random);
    return person === undefined ? undefined : { person };
  }
  if (!("garments" in said)) return undefined;
  const garments = alterGarments(said.garments, random);
  return garments === undefined ? undefined : { ...said, garments };
}

function alterPerson(said: DescribedPerson, random: Random): DescribedPerson | undefined {
  const { gender, age, skin, hair, attribute, group, profession, garments, signs } = said;
  const other = <T>(value: T, all: readonly T[]): T =>
    random.pick(all.filter((one) => one !== value));
  const changes: (() => DescribedPerson | undefined)[] = [
    ...(gender === undefined ? [] : [() => ({ ...said, gender: other(gender, genders) })]),
    ...(age === undefined ? [] : [() => ({ ...said, age: other(age, ages.slice(0, 3)) })]),
    ...(skin === undefined ? [] : [() => ({ ...said, skin: other(skin, skinTones) })]),
    ...(hair === undefined ? [] : [() => ({ ...said, hair: other(hair, hairColours) })]),
    ...(attribute === undefined
      ? []
      : [() => ({ ...said, attribute: other(attribute, [...attributes.keys()]) })]),
    ...(group === undefined ? [] : [() => ({ ...said, group: other(group, [...groups.keys()]) })]),
    ...(profession === undefined
      ? []
      : [() => ({ ...said, profession: other(profession, [...professions.keys()]) })]),
    ...(signs.length === 0
      ? []
      : [() => ({ ...said, signs: [otherSign(signs[0] ?? "", random)] })]),
    // Clothes hold several words, and binding them is what is hard.
    ...new Array(garments.length * 2).fill(() => {
      const altered = alterGarments(garments, random);
      return altered === undefined ? undefined : { ...said, garments: altered };
    }),
  ];
  return changes.length === 0 ? undefined : random.pick(changes)();
}

/** Another sign for the same place, so that what is asked is which. */
export function otherSign(sign: string, random: Random): string {
  const [area] = areasOf(sign);
  const alike = [...signKinds.keys()].filter((one) => one !== sign && areasOf(one)[0] === area);
  return random.pick(alike.length === 0 ? [...signKinds.keys()] : alike);
}

/** Another kind, colour or pattern of one, or the attributes of two exchanged. */
function alterGarments(
  said: readonly DescribedGarment[],
  random: Random,
): DescribedGarment[] | undefined {
  const [first, second, ...rest] = said;
  if (first === undefined) return undefined;
  if (second !== undefined && random.chance(0.5)) {
    return [...swapAttributes(first, second), ...rest];
  }
  const index = random.integer(said.length);
  return said.map((garment, at) => (at === index ? alterGarment(garment, random) : garment));
}

/** Each with the other's colour and pattern: every word stays, the binding breaks. */
export function swapAttributes(
  first: DescribedGarment,
  second: DescribedGarment,
): [DescribedGarment, DescribedGarment] {
  return [
    { ...second, kind: first.kind },
    { ...first, kind: second.kind },
  ];
}

function alterGarment(said: DescribedGarment, random: Random): DescribedGarment {
  const { kind, colour, pattern } = said;
  const changes: DescribedGarment[] = [
    { ...said, kind: random.pick([...garmentKinds.keys()].filter((one) => one !== kind)) },
    ...(colour === undefined
      ? []
      : [{ ...said, colour: random.pick(garmentColours.filter((one) => one !== colour)) }]),
    ...(pattern === undefined
      ? []
      : [{ ...said, pattern: random.pick(patterns.filter((one) => one !== pattern)) }]),
  ];
  return random.pick(changes);
}
