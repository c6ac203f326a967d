import type { Random } from "touchstone-t2i/internal/core/random.js";
import { garmentColours, garmentKinds, patterns, peopleExtras } from "../world/people.js";
import { swapAttributes } from "../world/people-statements.js";
import type { DescribedExtra, DescribedGarment, Description } from "../world/scene.js";
import { colours, extraKinds, mostOfAKind, subjects } from "../world/vocabulary.js";
import type { Defect, DefectRates } from "./defect-rates.js";

/** Returns a description as a painter with these error rates understands it, and the errors it made. */
export function withDefects(
  description: Description,
  rates: DefectRates,
  random: Random,
): { readonly description: Description; readonly defects: readonly Defect[] } {
  const defects: Defect[] = [];
  let { subject, extras } = description;

  if (random.chance(rates.dropExtra) && extras.length > 0) {
    const dropped = random.integer(extras.length);
    extras = extras.filter((_, index) => index !== dropped);
    defects.push("dropExtra");
  }
  if (random.chance(rates.miscount) && extras.some((extra) => extra.count !== undefined)) {
    extras = extras.map((extra) => miscounted(extra, random));
    defects.push("miscount");
  }
  if (random.chance(rates.driftToPrototype) && "kind" in subject) {
    const told = subjects.get(subject.kind);
    if (told !== undefined && !told.prototypical) {
      const prototypes = [...subjects.values()].filter(
        (one) => one.prototypical && one.hypernym === told.hypernym,
      );
      subject = { kind: random.pick(prototypes).kind };
      defects.push("driftToPrototype");
    }
  }
  for (const [defect, mistake] of garmentMistakes) {
    const told = garmentsIn(subject);
    // A sentence without garments draws no random number, so its picture does not depend on these rates.
    if (told.length === 0 || !random.chance(rates[defect])) continue;
    const garments = mistake(told, random);
    if (garments === undefined) continue;
    subject =
      "person" in subject
        ? { person: { ...subject.person, garments } }
        : { ...subject, garments, onDisplay: "onDisplay" in subject && subject.onDisplay };
    defects.push(defect);
  }
  for (const [defect, mistake] of thingMistakes) {
    if (!random.chance(rates[defect])) continue;
    const things = mistake(extras, random);
    if (things === undefined) continue;
    extras = things;
    defects.push(defect);
  }
  return { description: { ...description, subject, extras }, defects };
}

/** Returns the garments of a description's subject, worn or on display. */
export function garmentsIn(subject: Description["subject"]): readonly DescribedGarment[] {
  if ("person" in subject) return subject.person.garments;
  return "garments" in subject ? subject.garments : [];
}

function miscounted(extra: DescribedExtra, random: Random): DescribedExtra {
  if (extra.count === undefined) return extra;
  const neighbours = [extra.count - 1, extra.count + 1].filter(
    (count) => count >= 1 && count <= mostOfAKind,
  );
  return { ...extra, count: random.pick(neighbours) };
}

type Garments = readonly DescribedGarment[];

/** Makes an error in the garments of a sentence; returns undefined where none is possible. */
type GarmentMistake = (said: Garments, random: Random) => Garments | undefined;

const attributes = ["colour", "pattern"] as const;

/** Copies a colour or a pattern from one garment to another. */
const leakAttribute: GarmentMistake = (said, random) => {
  const leaks = said.flatMap((from, source) =>
    attributes.flatMap((attribute) =>
      said.flatMap((to, target) => {
        const value = from[attribute];
        const shows = value === undefined || value === to[attribute] || !canHave(to, attribute);
        return source === target || shows ? [] : [{ target, change: { [attribute]: value } }];
      }),
    ),
  );
  return leaks.length === 0 ? undefined : changed(said, random.pick(leaks));
};

/** Swaps colour and pattern of two garments. */
const exchangeAttributes: GarmentMistake = (said, random) => {
  const differing = said.flatMap((first, source) =>
    said.flatMap((second, target) =>
      source < target && attributes.some((attribute) => first[attribute] !== second[attribute])
        ? [{ source, target, swapped: swapAttributes(first, second) }]
        : [],
    ),
  );
  if (differing.length === 0) return undefined;
  const { source, target, swapped } = random.pick(differing);
  const [first, second] = swapped;
  return said.map((one, at) => (at === source ? first : at === target ? second : one));
};

/** Replaces a colour or a pattern of a garment by another. */
const loseAttribute: GarmentMistake = (said, random) => {
  const told = said.flatMap((garment, target) =>
    attributes.flatMap((attribute) =>
      garment[attribute] === undefined || !canHave(garment, attribute)
        ? []
        : [{ target, attribute, value: garment[attribute] }],
    ),
  );
  if (told.length === 0) return undefined;
  const { target, attribute, value } = random.pick(told);
  const all = attribute === "colour" ? garmentColours : patterns;
  const other = random.pick(all.filter((one) => one !== value));
  return changed(said, { target, change: { [attribute]: other } });
};

/** Shoes and boots are too small for a pattern. */
const canHave = ({ kind }: DescribedGarment, attribute: (typeof attributes)[number]): boolean =>
  attribute === "colour" || garmentKinds.get(kind)?.large === true;

const changed = (
  said: Garments,
  { target, change }: { readonly target: number; readonly change: Partial<DescribedGarment> },
): Garments => said.map((one, at) => (at === target ? { ...one, ...change } : one));

type Things = readonly DescribedExtra[];

/** Makes an error in the colours of the things of a sentence; returns undefined where none is possible. */
type ThingMistake = (said: Things, random: Random) => Things | undefined;

/** Copies the colour of one thing to another. */
const leakColour: ThingMistake = (said, random) => {
  const leaks = said.flatMap(({ colour }, source) =>
    said.flatMap((to, target) =>
      source === target || colour === undefined || colour === to.colour || !canHaveColour(to)
        ? []
        : [{ target, colour }],
    ),
  );
  return leaks.length === 0 ? undefined : painted(said, random.pick(leaks));
};

/** Swaps the colours of two things. */
const swapColours: ThingMistake = (said, random) => {
  const pairs = said.flatMap(({ colour: first }, source) =>
    said.flatMap(({ colour: second }, target) =>
      source < target && first !== undefined && second !== undefined && first !== second
        ? [{ source, target, first, second }]
        : [],
    ),
  );
  if (pairs.length === 0) return undefined;
  const { source, target, first, second } = random.pick(pairs);
  return painted(painted(said, { target: source, colour: second }), { target, colour: first });
};

/** Replaces the colour of a thing by another. */
const loseColour: ThingMistake = (said, random) => {
  const told = said.flatMap(({ colour }, target) =>
    colour === undefined ? [] : [{ target, colour }],
  );
  if (told.length === 0) return undefined;
  const { target, colour } = random.pick(told);
  return painted(said, { target, colour: random.pick(colours.filter((one) => one !== colour)) });
};

const canHaveColour = ({ kind }: DescribedExtra): boolean =>
  (extraKinds.get(kind) ?? peopleExtras.get(kind))?.coloured === true;

const painted = (
  said: Things,
  { target, colour }: { readonly target: number; readonly colour: string },
): Things => said.map((one, at) => (at === target ? { ...one, colour } : one));

const garmentMistakes: readonly (readonly [Defect, GarmentMistake])[] = [
  ["loseAttribute", loseAttribute],
  ["swapAttributes", exchangeAttributes],
  ["leakAttribute", leakAttribute],
];

const thingMistakes: readonly (readonly [Defect, ThingMistake])[] = [
  ["loseColour", loseColour],
  ["swapColours", swapColours],
  ["leakColour", leakColour],
];
