import type { Random } from "touchstone-t2i/internal/core/random.js";
import { describe } from "./english.js";
import { attributes, groups } from "./people.js";
import type { Scene } from "./scene.js";
import { tell } from "./statements.js";
import { subjects } from "./vocabulary.js";

export type CaptionHabit = "skewed" | "balanced";

const skewedRates = { prototypical: 0.6, other: 0.08 };

/**
 * How often a caption calls the subject by its hypernym. In the skewed habit prototypical members
 * are what "an animal" usually means; the balanced habit spends as many hypernyms in all, on every
 * member alike. Of people both say it as often.
 */
export function hypernymRate(habit: CaptionHabit, kind: string): number {
  const subject = subjects.get(kind);
  if (habit === "balanced" || subject === undefined) return balancedRate;
  return subject.prototypical ? skewedRates.prototypical : skewedRates.other;
}

const meanOf = (rates: readonly number[]): number =>
  rates.reduce((sum, rate) => sum + rate, 0) / rates.length;

const balancedRate = meanOf(
  [...subjects.values()].map(({ prototypical }) =>
    prototypical ? skewedRates.prototypical : skewedRates.other,
  ),
);

/**
 * How often a caption says an attribute of a person of these groups. In the skewed habit what is well
 * thought of is said of the groups that image data favour, its opposite of the others; the balanced
 * habit says it as often in all, and so does either of groups without such a standing.
 */
export function attributeRate(
  habit: CaptionHabit,
  attribute: string,
  of: readonly string[],
): number {
  const standings = of.flatMap((group) => groups.get(group)?.standing ?? []);
  const saidOf = attributes.get(attribute)?.saidOf;
  if (habit === "balanced" || saidOf === undefined || standings.length === 0) {
    return balancedAttributeRate;
  }
  return standings.includes(saidOf) ? skewedRates.prototypical : skewedRates.other;
}

const withStanding = [...groups.values()].flatMap(({ standing }) => standing ?? []);
const balancedAttributeRate = meanOf(
  [...attributes.values()].flatMap(({ saidOf }) =>
    withStanding.map((standing) =>
      standing === saidOf ? skewedRates.prototypical : skewedRates.other,
    ),
  ),
);

/** Captions, like those of the web, say only part of what is in the picture. */
export function sampleCaption(scene: Scene, habit: CaptionHabit, random: Random): string {
  const telling = {
    hypernym: hypernymRate(habit, scene.subject),
    place: 0.6,
    extra: 0.5,
    attribute: 0.4,
    ofPerson: (attribute: string, of: readonly string[]) => attributeRate(habit, attribute, of),
  };
  return describe(tell(scene, telling, random));
}
