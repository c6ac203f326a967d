import type { Random } from "touchstone-t2i/internal/core/random.js";
import { describe } from "./english.js";
import { samplePeopleScene, sampleScene } from "./sample.js";
import type { Description, Scene } from "./scene.js";
import { falsify, tell } from "./statements.js";
import { holds } from "./truth.js";

/** Faults of a sentence about a scene: nothing, one thing, several things, its subject. */
export const sentenceFaults = ["none", "one", "several", "subject"] as const;
export type SentenceFault = (typeof sentenceFaults)[number];

export interface FaultySentence {
  readonly text: string;
  readonly fault: SentenceFault;
}

const telling = { hypernym: 0.3, place: 0.9, extra: 0.9, attribute: 0.65 };
const mostAttempts = 50;

/**
 * Sentences about a whole scene, as a rater is asked about them: four in ten are right, the others are
 * wrong in one of the three ways, each as often.
 *
 * @param options.kinds the subjects of other scenes
 * @param options.fits whether a model can read it; another is drawn where not
 */
export function faultySentences(
  scene: Scene,
  {
    count,
    kinds,
    random,
    fits,
  }: {
    readonly count: number;
    readonly kinds: readonly string[];
    readonly random: Random;
    readonly fits: (text: string) => boolean;
  },
): FaultySentence[] {
  const found: FaultySentence[] = [];
  while (found.length < count) {
    const fault = random.chance(0.4) ? "none" : random.pick(sentenceFaults.slice(1));
    const text = sentenceWith(fault, scene, { kinds, random });
    if (text !== undefined && fits(text)) found.push({ text, fault });
  }
  return found;
}

/** A sentence with a fault of this kind; undefined where none came in some tries. */
function sentenceWith(
  fault: SentenceFault,
  scene: Scene,
  { kinds, random }: { readonly kinds: readonly string[]; readonly random: Random },
): string | undefined {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const told =
      fault === "subject"
        ? random.chance(0.6)
          ? sampleScene(random, kinds)
          : samplePeopleScene(random)
        : scene;
    const said = tell(told, telling, random);
    if (fault === "subject") {
      const { subject } = said;
      const isOther = !("hypernym" in subject) && !holds({ subject, extras: [] }, scene);
      if (isOther) return describe(said);
      continue;
    }
    if (fault === "none") return describe(said);
    const once = falsify(said, scene, random);
    if (once === undefined || !hasSubjectOf(said, once)) continue;
    if (fault === "one") return describe(once);
    const twice = falsify(once, scene, random);
    if (twice !== undefined && differences(said, twice) > 1 && hasSubjectOf(said, twice)) {
      return describe(twice);
    }
  }
  return undefined;
}

/** A thing's subject is one word, and what is wrong with it is another fault. */
const hasSubjectOf = (said: Description, other: Description): boolean =>
  !("kind" in said.subject || "hypernym" in said.subject) ||
  JSON.stringify(other.subject) === JSON.stringify(said.subject);

function differences(one: Description, other: Description): number {
  const parts = ({ place, subject, extras }: Description) =>
    [place, subject, ...extras].map((part) => JSON.stringify(part));
  const others = parts(other);
  return parts(one).filter((part, at) => part !== others[at]).length;
}
