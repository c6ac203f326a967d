import type { Random } from "../../core/random.js";
import type { DescribedExtra, DescribedGarment, Description } from "../world/scene.js";
import { mostOfAKind, subjects } from "../world/vocabulary.js";
import type { Defect, DefectRates } from "./defect-rates.js";
import {
  exchangeAttributes,
  type GarmentMistake,
  leakAttribute,
  loseAttribute,
} from "./garment-defects.js";
import { leakColour, loseColour, swapColours, type ThingMistake } from "./thing-defects.js";

/** The painter's understanding of a description, and what it got wrong on the way. */
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
    // Nothing is drawn at random for a sentence without clothes: its picture stays what it was.
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

/** The clothes that a sentence speaks of. */
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
