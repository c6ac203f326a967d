import type { Tally } from "../assignment/answer-tally.js";
import type { Participation } from "../assignment/participation.js";
import { itemsEach } from "../assignment/personal-order.js";
import type { Study } from "../study.js";

/** How far somebody is: assignments done, and done and to come, as things stand. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Items that have their answers are no longer to come, so the total may fall. Practice is apart. */
export function progressOf(
  study: Study,
  { done: all }: Participation,
  { tally }: { readonly tally: Tally },
): Progress {
  const done = all.filter(({ kind }) => kind !== "practice");
  let left = 0;
  for (const block of study.blocks) {
    const own = done.filter((assignment) => assignment.block === block.name);
    const seen = new Set(own.flatMap(({ kind, item }) => (kind === "item" ? [item] : [])));
    const free = block.items.filter(
      ({ id }) => !seen.has(id) && tally.answersTo(block.name, id) < block.settings.ratingsPerItem,
    ).length;
    const items = Math.min(itemsEach(block) - seen.size, free);
    const gold = items > 0 ? block.gold.length - count(own, "gold") : 0;
    const answered = own.filter(({ kind, isAnswered }) => kind === "item" && isAnswered).length;
    const repeats = Math.min(block.settings.repeats, answered + items) - count(own, "repeat");
    left += Math.max(0, items) + Math.max(0, gold) + Math.max(0, repeats);
  }
  return { done: done.length, total: done.length + left };
}

const count = (own: Participation["done"], wanted: string): number =>
  own.filter(({ kind }) => kind === wanted).length;
