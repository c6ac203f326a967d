import { attributes, groups, professions } from "./people.js";
import type {
  DescribedExtra,
  DescribedGarment,
  DescribedPerson,
  Description,
  Extra,
  Garment,
  Person,
  Scene,
} from "./scene.js";
import { subjects } from "./vocabulary.js";

/** Whether everything that `description` says holds in `scene`. */
export function holds(description: Description, scene: Scene): boolean {
  return (
    subjectHolds(description.subject, scene) &&
    (description.place === undefined || description.place === scene.place) &&
    description.extras.every((said) => scene.extras.some((extra) => extraHolds(said, extra)))
  );
}

function subjectHolds(said: Description["subject"], scene: Scene): boolean {
  if ("kind" in said) return said.kind === scene.subject;
  if ("hypernym" in said) return said.hypernym === subjects.get(scene.subject)?.hypernym;
  if ("person" in said) return personHolds(said.person, scene);
  return garmentsHold(said.garments, said.onDisplay, scene);
}

function extraHolds(said: DescribedExtra, extra: Extra): boolean {
  return (["kind", "count", "colour", "side", "depth", "size"] as const).every(
    (member) => said[member] === undefined || said[member] === extra[member],
  );
}

/** Whether everything that is said of a person holds of the one in `scene`. */
export function personHolds(said: DescribedPerson, { person }: Scene): boolean {
  if (person === undefined) return false;
  const { gender, age, skin, hair, attribute, group, profession } = said;
  return (
    (gender === undefined || gender === person.gender) &&
    (age === undefined ? !(isGrown(said) && person.age === "child") : age === person.age) &&
    (skin === undefined || skin === person.skin) &&
    (hair === undefined || hair === visibleHair(person)) &&
    (attribute === undefined || shows(person, attributes.get(attribute)?.shows)) &&
    (group === undefined || groupsOf(person).includes(group)) &&
    (profession === undefined || shows(person, professions.get(profession)?.signs)) &&
    said.garments.every((garment) => someHolds(garment, person.garments)) &&
    said.signs.every((sign) => person.signs.includes(sign))
  );
}

/** "A woman" and "a man" are grown; "a female nurse" may be of any age. */
export const isGrown = ({ gender, age, profession }: DescribedPerson): boolean =>
  age === undefined && gender !== undefined && profession === undefined;

/** Whether all clothes are in the picture: on display where `onDisplay`, else worn or on display. */
function garmentsHold(
  said: readonly DescribedGarment[],
  onDisplay: boolean,
  { person, display }: Scene,
): boolean {
  const seen = display ?? (onDisplay ? [] : (person?.garments ?? []));
  return said.every((garment) => someHolds(garment, seen));
}

const someHolds = (said: DescribedGarment, garments: readonly Garment[]): boolean =>
  garments.some((garment) => garmentHolds(said, garment));

/** Whether everything that is said of a garment holds of this one. */
export const garmentHolds = (said: DescribedGarment, garment: Garment): boolean =>
  (["kind", "colour", "pattern"] as const).every(
    (member) => said[member] === undefined || said[member] === garment[member],
  );

const shows = ({ signs }: Person, all: readonly string[] | undefined): boolean =>
  all?.every((sign) => signs.includes(sign)) === true;

/** The groups that a viewer who knows the lab's signs would name. */
export const groupsOf = ({ signs }: Person): string[] =>
  [...groups]
    .filter(([, group]) => group.signs.some((sign) => signs.includes(sign)))
    .map(([name]) => name);

export const attributesOf = (person: Person): string[] =>
  [...attributes].filter(([, { shows: all }]) => shows(person, all)).map(([name]) => name);

export const professionsOf = (person: Person): string[] =>
  [...professions].filter(([, { signs }]) => shows(person, signs)).map(([name]) => name);

/** A colour of hair, "bald", or undefined where it is covered. */
export function visibleHair({ cut, hair, signs }: Person): string | undefined {
  if (signs.some((sign) => sign === "headscarf" || sign === "turban")) return undefined;
  return cut === "bald" ? "bald" : hair;
}

/** Whether someone wears or holds a thing of this name: how many there are would be unclear. */
export const carries = (person: Person | undefined, kind: string): boolean =>
  person !== undefined &&
  [...person.garments.map((garment) => garment.kind), ...person.signs].some(
    (thing) => thing === kind || thing === `open ${kind}`,
  );
