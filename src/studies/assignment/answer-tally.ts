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
  readonly #counts = new Counts();

  static of(participations: Iterable<Participation>): Tally {
    const tally = new Tally();
    for (const { done } of participations) {
      for (const assignment of done) if (assignment.isAnswered) tally.add(assignment);
    }
    return tally;
  }

  /** Counts an answer. */
  add(assignment: Assignment): void {
    this.#counts.change(assignment, 1);
  }

  /** Takes an answer out again: it was erased. */
  remove(assignment: Assignment): void {
    this.#counts.change(assignment, -1);
  }

  /** Answers to an item, gold and repeats apart. */
  answersTo(block: string, item: string): number {
    return this.#counts.of(block, item)?.answers ?? 0;
  }

  /** The counts with what is open added, as long as its lease runs. */
  withLeases(
    study: Study,
    { open, now }: { readonly open: Iterable<OpenAssignment>; readonly now: number },
  ): (block: string, item: string) => Readonly<ItemCount> {
    const leased = new Counts();
    for (const assignment of open) {
      if (isLeased(assignment, { study, now })) leased.change(assignment, 1);
    }
    return (block, item) => {
      const [answered, open] = [this.#counts.of(block, item), leased.of(block, item)];
      return {
        answers: (answered?.answers ?? 0) + (open?.answers ?? 0),
        sides: (answered?.sides ?? 0) + (open?.sides ?? 0),
      };
    };
  }
}

/** Counts by block and item: a plan asks for each item's. */
class Counts {
  readonly #blocks = new Map<string, Map<string, ItemCount>>();

  of(block: string, item: string): ItemCount | undefined {
    return this.#blocks.get(block)?.get(item);
  }

  /** Gold and repeats don't count. */
  change({ block, item, kind, swapped }: Assignment, by: 1 | -1): void {
    if (kind !== "item") return;
    const items = this.#blocks.get(block) ?? new Map<string, ItemCount>();
    this.#blocks.set(block, items);
    const count = items.get(item) ?? { answers: 0, sides: 0 };
    items.set(item, count);
    count.answers += by;
    count.sides += swapped ? -by : by;
  }
}
