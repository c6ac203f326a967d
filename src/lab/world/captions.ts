import type { Random } from "../../core/random.js";
import { describe } from "./english.js";
import type { Scene } from "./scene.js";
import { tell } from "./statements.js";
import { subjects } from "./vocabulary.js";

export type CaptionHabit = "skewed" | "balanced";

/**
 * How often a caption calls the subject by its hypernym. In the skewed habit prototypical members
 * are what "an animal" usually means; the balanced habit spends as many hypernyms in all, on every
 * member alike.
 */
export function hypernymRate(habit: CaptionHabit, kind: string): number {
  if (habit === "balanced") return balancedRate;
  return subjects.get(kind)?.prototypical === true ? skewedRates.prototypical : skewedRates.other;
}

const skewedRates = { prototypical: 0.6, other: 0.08 };

const balancedRate =
  [...subjects.keys()].reduce((sum, kind) => sum + hypernymRate("skewed", kind), 0) / subjects.size;

/** Captions, like those of the web, say only part of what is in the picture. */
export function sampleCaption(scene: Scene, habit: CaptionHabit, random: Random): string {
  const hypernym = hypernymRate(habit, scene.subject);
  return describe(tell(scene, { hypernym, place: 0.6, extra: 0.5, attribute: 0.4 }, random));
}
