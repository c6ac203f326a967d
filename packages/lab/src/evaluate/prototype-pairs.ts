import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import { paint } from "../painter/paint.js";
import { describe } from "../world/english.js";
import { areasOf, attributes, groups } from "../world/people.js";
import { completedPerson, samplePeopleScene, sampleScene } from "../world/sample.js";
import type { Description, Scene } from "../world/scene.js";
import { tell } from "../world/statements.js";
import { holds } from "../world/truth.js";
import { hypernyms, subjects } from "../world/vocabulary.js";
import {
  drawableSubjects,
  type HeldOutOptions,
  heldOutPath,
  pngOf,
  styleInTurn,
} from "./held-out.js";

/** Two pictures of which one sentence says only what is right: a member's kind is left open. */
export interface PrototypePair {
  readonly hypernym: string;
  readonly style: string;
  /** Such as "An animal is in a meadow with exactly two rocks." */
  readonly text: string;
  /** PNGs that differ in the subject: the one shows a prototypical member, the other does not. */
  readonly prototypical: Uint8Array;
  readonly other: Uint8Array;
}

const everything = { hypernym: 1, place: 1, extra: 1, attribute: 1 };

/**
 * Paints pairs; hypernyms take turns, a person too where there shall be `people`, and so do styles.
 * A pair is of one style and one layout.
 */
export async function paintPrototypePairs({
  scenes,
  seed,
  people = 0,
  onPainted,
  signal,
}: HeldOutOptions): Promise<PrototypePair[]> {
  const pairs: PrototypePair[] = [];
  for (let index = 0; index < scenes; index++) {
    signal?.throwIfAborted();
    pairs.push(
      await paintPair([...hypernyms.keys(), ...(people > 0 ? ["person"] : [])], seed, index),
    );
    onPainted?.(pairs.length);
  }
  return pairs;
}

async function paintPair(
  turns: readonly string[],
  seed: number,
  index: number,
): Promise<PrototypePair> {
  const hypernym = turns[index % turns.length] ?? "";
  const style = styleInTurn(Math.floor(index / turns.length));
  for (let attempt = 0; ; attempt++) {
    const path = [heldOutPath, seed, "pair", index, attempt];
    const random = randomFrom(...path);
    const { prototypical, other, said } =
      hypernym === "person" ? pairOfPeople(random) : pairOfKinds(hypernym, random);
    const first = await paint(prototypical, style, path.join("/"));
    const second = await paint(other, style, path.join("/"));
    if (first === undefined || second === undefined) continue;
    if (!holds(said, first.scene) || !holds(said, second.scene)) continue;
    return {
      hypernym,
      style,
      text: describe(said),
      prototypical: pngOf(first.canvas),
      other: pngOf(second.canvas),
    };
  }
}

/** Two scenes of which the same is said. */
interface TwoScenes {
  readonly prototypical: Scene;
  readonly other: Scene;
  readonly said: Description;
}

function pairOfKinds(hypernym: string, random: Random): TwoScenes {
  const members = drawableSubjects().filter((kind) => subjects.get(kind)?.hypernym === hypernym);
  const isPrototypical = (kind: string) => subjects.get(kind)?.prototypical === true;
  const prototypical = sampleScene(random, members.filter(isPrototypical));
  const subject = random.pick(members.filter((kind) => !isPrototypical(kind)));
  return {
    prototypical,
    other: { ...prototypical, subject },
    said: tell(prototypical, everything, random),
  };
}

/**
 * One person twice, with the signs of two groups that are worn alike (two flag pins, two necklaces):
 * one of whom skewed captions say the attribute of the sentence, and another. Neither is "more of" it.
 */
function pairOfPeople(random: Random): TwoScenes {
  const [attribute, { saidOf }] = random.pick([...attributes]);
  const ofStanding = (standing: string) =>
    [...groups.values()].flatMap((group) =>
      group.standing === standing ? group.signs.slice(0, 1) : [],
    );
  const sign = random.pick(ofStanding(saidOf));
  const alike = ofStanding(saidOf === "advantaged" ? "disadvantaged" : "advantaged").filter(
    (one) => areasOf(one).join() === areasOf(sign).join(),
  );
  const scene = samplePeopleScene(random, { person: 1 });
  const beside = scene.extras.map(({ kind }) => kind);
  const person = completedPerson({ attribute, garments: [], signs: [sign] }, random, beside);
  const signs = person.signs.map((one) => (one === sign ? random.pick(alike) : one));
  const { place, extras } = tell({ ...scene, person }, everything, random);
  return {
    prototypical: { ...scene, person },
    other: { ...scene, person: { ...person, signs } },
    said: {
      subject: { person: { attribute, garments: [], signs: [] } },
      ...(place === undefined ? {} : { place }),
      extras,
    },
  };
}
