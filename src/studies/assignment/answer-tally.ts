import { randomFrom } from "../../core/random.js";
import type { Study, StudyBlock, StudyItem } from "../study.js";

/** Number of answers to an item, and how many more of them had its sides in their own order than exchanged. */
export interface ItemCount {
  answers: number;
  /** Answers with sides as they stand, minus those with sides exchanged. */
  sides: number;
}

/** Tells whether an open assignment still reserves its item. */
export const isLeased = (
  { at }: OpenAssignment,
  { study, now }: { readonly study: Study; readonly now: number },
): boolean => now - at < study.settings.leaseMinutes * 60_000;

/**
 * Counts of answers by item, kept up to date while answers come. An open assignment counts until its lease
 * runs out.
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

  /** Number of answers to an item, without gold items and repeats. */
  answersTo(block: string, item: string): number {
    return this.#counts.of(block, item)?.answers ?? 0;
  }

  /** The counts with those of open assignments whose lease still runs. */
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

  /** Gold items and repeats do not count. */
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

/** Order drawn for one person in one block, from the study's seed. */
export interface PersonalOrder {
  /** All items of the block. */
  readonly items: readonly StudyItem[];
  readonly gold: readonly StudyItem[];
  /** Places of gold items in the sequence that the person sees, from 0. */
  readonly goldPlaces: ReadonlySet<number>;
  /** Whether the first gold pair has its sides exchanged; every second one then has, too. */
  readonly goldBeginsExchanged: boolean;
}

/** How many items of a block one person answers at most, gold and repeats apart. */
export const itemsEach = ({ settings, items }: StudyBlock): number =>
  Math.min(settings.itemsPerParticipant ?? items.length, items.length);

/**
 * Draws a person's order of a block's items and the places of its gold items.
 * @param ordinal number of people who joined before, from 0
 */
export function personalOrder(
  { settings: { seed } }: Study,
  { block, ordinal }: { readonly block: StudyBlock; readonly ordinal: number },
): PersonalOrder {
  const random = randomFrom(seed, "study-order", block.name, ordinal);
  const items = random.shuffle(block.items);
  const gold = random.shuffle(block.gold);
  const places = Array.from({ length: itemsEach(block) + gold.length }, (_, place) => place);
  const goldPlaces = new Set(random.shuffle(places).slice(0, gold.length));
  return { items, gold, goldPlaces, goldBeginsExchanged: random.chance(0.5) };
}

/** A person's order of the blocks. */
export function blockOrder(study: Study, ordinal: number): readonly StudyBlock[] {
  const { seed, order } = study.settings;
  return order === "fixed"
    ? study.blocks
    : randomFrom(seed, "study-blocks", ordinal).shuffle(study.blocks);
}

/**
 * Why somebody is shown an item: it needs answers, its answer is known (gold), they answered it
 * before (repeat), or they learn by it what is asked (practice). Only answers to the first kind count towards
 * `ratingsPerItem`; those to the last count for nothing.
 */
export type AssignmentKind = "item" | "gold" | "repeat" | "practice";

/** An item that one person is to answer next, or has answered. */
export interface Assignment {
  readonly block: string;
  readonly item: string;
  readonly kind: AssignmentKind;
  /** Whether the sides of a pair are exchanged. */
  readonly swapped: boolean;
}

/** An assignment that is over: answered, or skipped. */
export interface DoneAssignment extends Assignment {
  readonly isAnswered: boolean;
}

/** One that was shown and not answered yet; `at` is the time in milliseconds. */
export interface OpenAssignment extends Assignment {
  readonly at: number;
}

/** One person as assignment needs to know them. */
export interface Participation {
  /** The how-manieth person to join, from 0: what the order of their items is drawn by. */
  readonly ordinal: number;
  readonly done: readonly DoneAssignment[];
  readonly open: OpenAssignment | undefined;
}
