import {
  anotherSubject,
  type FaultCheck,
} from "touchstone-t2i/internal/benchmarks/preference/build-pairs.js";
import { smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { paintedTruth } from "../painter/painter.js";
import { parseSentence } from "../world/english.js";
import type {
  DescribedExtra,
  DescribedGarment,
  DescribedPerson,
  Description,
  Garment,
  Scene,
} from "../world/scene.js";
import { holds, personHolds } from "../world/truth.js";

/** How many of the things that a sentence says are wrong in a painted scene. */
export const faultCount: FaultCheck = {
  name: "fault-count",
  version: 1,
  statistic: `how many of the things that a sentence says are wrong in the painted scene; another subject counts ${anotherSubject}`,
  model: "lab:truth",
  range: [0, 100],
  direction: "lower",
  check({ truth, text }) {
    const painted = paintedTruth.safeParse(truth);
    if (!painted.success) {
      throw new InputError("Expected what the lab's painter painted but received something else", {
        cause: painted.error,
      });
    }
    const { wrong, isAnotherSubject } = faultsIn(parseSentence(text), painted.data.scene);
    return {
      value: wrong + (isAnotherSubject ? anotherSubject : 0),
      details: { wrong, anotherSubject: isAnotherSubject },
    };
  },
};

/**
 * Counts what is wrong in a scene: one for the place, one for each thing said of a person, one for each thing
 * said of a garment or an extra of a kind that is there, one for each kind that is not there at all.
 */
export function faultsIn(
  { subject, place, extras }: Description,
  scene: Scene,
): { readonly wrong: number; readonly isAnotherSubject: boolean } {
  const subjectFaults = faultsOfSubject(subject, scene);
  const around =
    (place === undefined || place === scene.place ? 0 : 1) +
    sum(extras.map((said) => faultsOfOne(said, scene.extras, extraMembers)));
  return {
    wrong: around + (subjectFaults ?? 0),
    isAnotherSubject: subjectFaults === undefined,
  };
}

/** Undefined where the subject is another one. */
function faultsOfSubject(said: Description["subject"], scene: Scene): number | undefined {
  if ("garments" in said) {
    const seen = scene.display ?? (said.onDisplay ? undefined : scene.person?.garments);
    return seen && faultsOfGarments(said.garments, seen);
  }
  if ("person" in said) {
    return scene.person && faultsOfPerson(said.person, { ...scene, person: scene.person });
  }
  return holds({ subject: said, extras: [] }, scene) ? 0 : undefined;
}

type PeopledScene = Scene & { readonly person: NonNullable<Scene["person"]> };

function faultsOfPerson(
  { garments, signs, ...said }: DescribedPerson,
  scene: PeopledScene,
): number {
  const bare = { garments: [], signs: [] };
  const members: DescribedPerson[] = Object.entries(said).map(([name, value]) => ({
    ...bare,
    [name]: value,
  }));
  const alone = [...members, ...signs.map((sign) => ({ ...bare, signs: [sign] }))];
  return (
    alone.filter((one) => !personHolds(one, scene)).length +
    faultsOfGarments(garments, scene.person.garments)
  );
}

const garmentMembers = ["colour", "pattern"] as const;
const extraMembers = ["count", "colour", "side", "depth", "size"] as const;

const faultsOfGarments = (said: readonly DescribedGarment[], seen: readonly Garment[]): number =>
  sum(said.map((garment) => faultsOfOne(garment, seen, garmentMembers)));

/** Faults in what is said of one thing, compared with the thing of its kind that it fits best. */
function faultsOfOne<Thing extends DescribedGarment | DescribedExtra>(
  said: Thing,
  seen: readonly Thing[],
  members: readonly (keyof Thing)[],
): number {
  const alike = seen.filter(({ kind }) => kind === said.kind);
  if (alike.length === 0) return 1;
  return smallestOf(
    alike.map(
      (one) =>
        members.filter((member) => said[member] !== undefined && said[member] !== one[member])
          .length,
    ),
  );
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
