import type { Study } from "../study.js";
import type { Assignment, OpenAssignment, Participation } from "./participation.js";

/** How often an item was answered, and on how many more of these its sides were as they stand. */
export interface ItemCount {
  answers: number;
  /** Answers with sides as they stand, minus those with sides exchanged. */
  sides: number;
}

/** Whether an open assignment is still kept from others. */
export const isLeased = (
  { at }: OpenAssignment,
  { study, now }: { readonly study: Study; readonly now: number },
): boolean => now - at < study.settings.leaseMinutes * 60_000;

/**
 * Counts of answers by item, kept up while answers come. Open assignments count, too, until their
 * lease has run out; those are counted when asked for.
 */
export class Tally {
  readonly #counts = new Map<string, ItemCount>();

  static of(participations: Iterable<Participation>): Tally {
    const tally = new Tally();
    for (const { done } of participations) {
      for (const assignment of done) if (assignment.isAnswered) tally.add(assignment);
    }
    return tally;
  }

  /** Counts an answer. */
  add(assignment: Assignment): void {
    this.#change(assignment, 1);
  }

  /** Takes an answer out again: it was erased. */
  remove(assignment: Assignment): void {
    this.#change(assignment, -1);
  }

  /** Answers to an item, gold and repeats apart. */
  answersTo(block: string, item: string): number {
    return this.#counts.get(keyOf(block, item))?.answers ?? 0;
  }

  /** The counts with what is open added, as long as its lease runs. */
  withLeases(
    study: Study,
    { open, now }: { readonly open: Iterable<OpenAssignment>; readonly now: number },
  ): (block: string, item: string) => Readonly<ItemCount> {
    const leased = new Map<string, ItemCount>();
    for (const assignment of open) {
      if (assignment.kind !== "item" || !isLeased(assignment, { study, now })) continue;
      const count = countIn(leased, assignment);
      count.answers += 1;
      count.sides += assignment.swapped ? -1 : 1;
    }
    return (block, item) => {
      const key = keyOf(block, item);
      const [answered, open] = [this.#counts.get(key), leased.get(key)];
      return {
        answers: (answered?.answers ?? 0) + (open?.answers ?? 0),
        sides: (answered?.sides ?? 0) + (open?.sides ?? 0),
      };
    };
  }

  #change(assignment: Assignment, by: 1 | -1): void {
    if (assignment.kind !== "item") return;
    const count = countIn(this.#counts, assignment);
    count.answers += by;
    count.sides += assignment.swapped ? -by : by;
  }
}

/** A block is named in one line. */
const keyOf = (block: string, item: string): string => `${block}\n${item}`;

function countIn(counts: Map<string, ItemCount>, { block, item }: Assignment): ItemCount {
  const key = keyOf(block, item);
  const count = counts.get(key) ?? { answers: 0, sides: 0 };
  counts.set(key, count);
  return count;
}
