import type { Random } from "../../core/random.js";
import type { DescribedExtra, Description } from "../world/scene.js";
import { mostOfAKind, subjects } from "../world/vocabulary.js";

/** How often the painter does each thing wrong, as probabilities per picture. */
export interface DefectRates {
  /** Leaves out one of the extras. */
  readonly dropExtra: number;
  /** Paints one more or one fewer than it was told. */
  readonly miscount: number;
  /** Paints a prototypical member of the hypernym in place of the one it was told. */
  readonly driftToPrototype: number;
}

export const noDefects: DefectRates = { dropExtra: 0, miscount: 0, driftToPrototype: 0 };

export type Defect = keyof DefectRates;

/** What the painter understands of a description, and what it got wrong on the way. */
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
  return { description: { ...description, subject, extras }, defects };
}

function miscounted(extra: DescribedExtra, random: Random): DescribedExtra {
  if (extra.count === undefined) return extra;
  const neighbours = [extra.count - 1, extra.count + 1].filter(
    (count) => count >= 1 && count <= mostOfAKind,
  );
  return { ...extra, count: random.pick(neighbours) };
}
