import type { PairSource } from "touchstone-t2i/internal/benchmarks/preference/build-pairs.js";
import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import { garmentsIn } from "./painter/defects.js";
import { cannotDraw } from "./painter/painter.js";
import { painterNames } from "./painter/painters.js";
import { hasDrawing, styleNames } from "./painter/sprites.js";
import { describe } from "./world/english.js";
import { samplePeopleScene, sampleScene } from "./world/sample.js";
import type { Description, Scene } from "./world/scene.js";
import { type Telling, tell } from "./world/statements.js";
import { subjects } from "./world/vocabulary.js";

/** Much is said, so that much can be wrong. */
const telling: Telling = { hypernym: 0, place: 0.8, extra: 1, attribute: 0.9 };
const mostWords = 32;

/** Groups of subjects of captions and pictures. */
export const subjectGroups = ["people", "animals", "things"] as const;
export type SubjectGroup = (typeof subjectGroups)[number];

/**
 * The lab's captions for pairs, groups of subjects by turns, with seeds by which its painters paint both
 * pictures in one style. Every caption says two things or more that painters get wrong.
 */
export const labPairs: PairSource = {
  name: "lab",
  version: 1,
  styles: styleNames(),
  painters: painterNames().map((name) => `lab:painter-${name}`),
  draw({ seed, number, style }) {
    const path = ["preference", seed, number] as const;
    const group = subjectGroups[number % subjectGroups.length] ?? "things";
    for (let attempt = 0; ; attempt++) {
      const random = randomFrom(...path, attempt);
      const scene = sceneOf(group, random);
      const description = tell(scene, telling, random);
      if (!mayGoWrong(description)) continue;
      const caption = describe(description);
      const words = caption.match(/[a-z-]+|[^\sa-z-]/gi) ?? [];
      if (words.length > mostWords || cannotDraw(caption) !== undefined) continue;
      const seeds = randomFrom(...path, "seeds");
      return {
        caption,
        subject: group,
        seedA: seedOf(style, seeds),
        seedB: seedOf(style, seeds),
      };
    }
  },
};

/**
 * The same, but that both pictures are of the painter that errs least: where neither has a fault, nothing
 * but chance tells them apart.
 */
export const labEqualPairs: PairSource = {
  ...labPairs,
  name: "lab-equal",
  painters: labPairs.painters.slice(0, 1).flatMap((best) => [best, best]),
};

/** Whether painters may get two things wrong: clothes, or a number and the subject or another extra. */
function mayGoWrong({ subject, extras }: Description): boolean {
  if (!("kind" in subject)) return garmentsIn(subject).length > 1;
  const drifts = subjects.get(subject.kind)?.prototypical === false;
  return extras.some(({ count }) => count !== undefined) && (drifts || extras.length > 1);
}

function sceneOf(group: SubjectGroup, random: Random): Scene {
  if (group === "people") return samplePeopleScene(random);
  const kinds = [...subjects.values()].filter(
    ({ kind, hypernym }) => hasDrawing(kind) && (hypernym === "animal") === (group === "animals"),
  );
  return sampleScene(
    random,
    kinds.map(({ kind }) => kind),
  );
}

function seedOf(style: string, random: Random): number {
  for (;;) {
    const seed = random.integer(2 ** 31);
    if (styleOf(seed) === style) return seed;
  }
}

/** The style that the lab's painters paint in by a seed, whatever the sentence. */
export const styleOf = (seed: number): string => randomFrom(seed, "style").pick(styleNames());
