import type { PairSource } from "../benchmarks/preference/index.js";
import { type Random, randomFrom } from "../core/random.js";
import { cannotDraw } from "./painter/painter.js";
import { painterNames } from "./painter/painters.js";
import { hasDrawing, styleNames } from "./painter/sprites.js";
import { styleOf } from "./painter/style-of.js";
import { describe } from "./world/english.js";
import { sampleScene } from "./world/sample.js";
import { samplePeopleScene } from "./world/sample-people.js";
import type { Scene } from "./world/scene.js";
import { type Telling, tell } from "./world/statements.js";
import { subjects } from "./world/vocabulary.js";

/** Much is said, so that much can be wrong. */
const telling: Telling = { hypernym: 0, place: 0.9, extra: 0.95, attribute: 0.8 };
const mostWords = 32;

/** What captions are about, and pictures show. */
export const subjectGroups = ["people", "animals", "things"] as const;
export type SubjectGroup = (typeof subjectGroups)[number];

/** Which group a scene's subject is of; clothes on display are of people. */
export function subjectGroupOf({ subject, person, display }: Scene): SubjectGroup {
  if (person !== undefined || display !== undefined) return "people";
  return subjects.get(subject)?.hypernym === "animal" ? "animals" : "things";
}

/**
 * The lab's captions for pairs, groups of subjects by turns, with seeds by which its painters paint both
 * pictures in one style. Every caption says something that painters get wrong: clothes, extras, or
 * a subject that has a prototype beside it.
 */
export const labPairs: PairSource = {
  name: "lab",
  version: 1,
  styles: styleNames(),
  painters: painterNames.map((name) => `lab:painter-${name}`),
  draw({ seed, number, style }) {
    const path = ["preference", seed, number] as const;
    const group = subjectGroups[number % subjectGroups.length] ?? "things";
    for (let attempt = 0; ; attempt++) {
      const random = randomFrom(...path, attempt);
      const scene = sceneOf(group, random);
      const caption = describe(tell(scene, telling, random));
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
