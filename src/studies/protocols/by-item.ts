import type { StudyItem } from "../study.js";
import type { CountedAnswer } from "./protocol.js";

/** Answers by the item that they are about, in the order in which items first occur. */
export function byItem(
  answers: readonly CountedAnswer[],
): { readonly item: StudyItem; readonly answers: readonly CountedAnswer[] }[] {
  const groups = new Map<StudyItem, CountedAnswer[]>();
  for (const answer of answers) {
    const group = groups.get(answer.item);
    if (group === undefined) groups.set(answer.item, [answer]);
    else group.push(answer);
  }
  return [...groups].map(([item, own]) => ({ item, answers: own }));
}

/** Arithmetic mean; null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
