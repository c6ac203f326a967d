import { randomFrom } from "../../core/random.js";
import { paint } from "../painter/paint.js";
import { describe } from "../world/english.js";
import { sampleScene } from "../world/sample.js";
import { tell } from "../world/statements.js";
import { holds } from "../world/truth.js";
import { hypernyms, subjects } from "../world/vocabulary.js";
import { drawableSubjects } from "./drawable-subjects.js";
import { type HeldOutOptions, heldOutPath, pngOf, styleInTurn } from "./held-out.js";

/** Two pictures of which one sentence says only what is right: a member's kind is left open. */
export interface PrototypePair {
  readonly hypernym: string;
  /** Such as "An animal is in a meadow with exactly two rocks." */
  readonly text: string;
  /** PNGs that differ in the subject: the one shows a prototypical member, the other does not. */
  readonly prototypical: Uint8Array;
  readonly other: Uint8Array;
}

const everything = { hypernym: 1, place: 1, extra: 1, attribute: 1 };

/** Paints pairs; hypernyms take turns, and so do styles. A pair is of one style and one layout. */
export async function paintPrototypePairs({
  scenes,
  seed,
  onPainted,
  signal,
}: HeldOutOptions): Promise<PrototypePair[]> {
  const pairs: PrototypePair[] = [];
  for (let index = 0; index < scenes; index++) {
    signal?.throwIfAborted();
    pairs.push(await paintPair(seed, index));
    onPainted?.(pairs.length);
  }
  return pairs;
}

async function paintPair(seed: number, index: number): Promise<PrototypePair> {
  const hypernym = [...hypernyms.keys()][index % hypernyms.size] ?? "";
  const members = drawableSubjects().filter((kind) => subjects.get(kind)?.hypernym === hypernym);
  const isPrototypical = (kind: string) => subjects.get(kind)?.prototypical === true;
  const style = styleInTurn(Math.floor(index / hypernyms.size));
  for (let attempt = 0; ; attempt++) {
    const path = [heldOutPath, seed, "pair", index, attempt];
    const random = randomFrom(...path);
    const scene = sampleScene(random, members.filter(isPrototypical));
    const subject = random.pick(members.filter((kind) => !isPrototypical(kind)));
    const said = tell(scene, everything, random);
    const first = await paint(scene, style, path.join("/"));
    const second = await paint({ ...scene, subject }, style, path.join("/"));
    if (first === undefined || second === undefined) continue;
    if (!holds(said, first.scene) || !holds(said, second.scene)) continue;
    return {
      hypernym,
      text: describe(said),
      prototypical: pngOf(first.canvas),
      other: pngOf(second.canvas),
    };
  }
}
