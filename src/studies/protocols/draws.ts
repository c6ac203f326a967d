import { groupBy } from "../../core/arrays.js";
import type { StudyItem } from "../study.js";
import { besideText } from "./protocol.js";

/** How `label plan` drew an item, as columns of a table; undefined where it did not. */
export function drawOf(item: StudyItem) {
  const [weight, round] = ["weight", "round"].map((name) =>
    Number(besideText(item, name) ?? Number.NaN),
  );
  const stratum = besideText(item, "stratum");
  if (weight === undefined || round === undefined || stratum === undefined) return undefined;
  if (Number.isNaN(weight + round)) return undefined;
  return { probability: 1 / weight, weight, stratum, round };
}

/** The prompt of an item's image. */
export const promptOf = (item: StudyItem): string =>
  besideText(item, "prompt") ?? String(item.content.text ?? item.id);

const stratumOf = (item: StudyItem): string => {
  const draw = drawOf(item);
  return draw === undefined ? "" : `${draw.round} ${draw.stratum}`;
};

/** Tells whether prompts were drawn with the images of several models, to compare these. */
export function areDrawnTogether(items: readonly StudyItem[]): boolean {
  const distinct = (of: readonly StudyItem[], by: (item: StudyItem) => string) =>
    new Set(of.map(by)).size;
  const modelOf = (item: StudyItem) => besideText(item, "model") ?? "";
  return (
    distinct(items, modelOf) > 1 &&
    [...groupBy(items, promptOf).values()].every(
      (its) => distinct(its, modelOf) > 1 && distinct(its, stratumOf) === 1,
    )
  );
}

/**
 * Items by id, as they count while some have no answer: those of a stratum that have one stand for the rest of it, too,
 * so `weight` grows. Of prompts that were drawn with several models' images those count that have all answers.
 */
export function itemsAnswered(
  items: readonly StudyItem[],
  isAnswered: (item: StudyItem) => boolean,
): ReadonlyMap<string, StudyItem> {
  const drawn = items.filter((item) => drawOf(item) !== undefined);
  const unitOf = areDrawnTogether(drawn) ? promptOf : ({ id }: StudyItem) => id;
  const found = new Map(items.map((item) => [item.id, item]));
  for (const its of groupBy(drawn, stratumOf).values()) {
    const units = [...groupBy(its, unitOf).values()];
    const whole = units.filter((unit) => unit.every(isAnswered)).length;
    if (whole === 0 || whole === units.length) continue;
    const each = units.length / whole;
    for (const item of its) {
      const weight = (drawOf(item)?.weight ?? 1) * each;
      found.set(item.id, { ...item, beside: { ...item.beside, weight } });
    }
  }
  return found;
}
