import { groupBy } from "../../core/group-by.js";
import type { StudyItem } from "../study.js";
import type { CountedAnswer } from "./protocol.js";

/** Groups answers by their item, in the order in which items first occur. */
export const byItem = (
  answers: readonly CountedAnswer[],
): { readonly item: StudyItem; readonly answers: readonly CountedAnswer[] }[] =>
  [...groupBy(answers, ({ item }) => item)].map(([item, own]) => ({ item, answers: own }));

/** Arithmetic mean; null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
