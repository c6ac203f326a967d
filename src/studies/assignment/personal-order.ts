import { randomFrom } from "../../core/random.js";
import type { Study, StudyBlock, StudyItem } from "../study.js";

/** Order drawn for one person in one block, from the study's seed. */
export interface PersonalOrder {
  /** All items of the block. */
  readonly items: readonly StudyItem[];
  readonly gold: readonly StudyItem[];
  /** Places of gold items in the sequence that the person sees, from 0. */
  readonly goldPlaces: ReadonlySet<number>;
  /** Whether the first gold pair has its sides exchanged; every other has. */
  readonly goldBeginsExchanged: boolean;
}

/** How many items of a block one person answers at most, gold and repeats apart. */
export const itemsEach = ({ settings, items }: StudyBlock): number =>
  Math.min(settings.itemsPerParticipant ?? items.length, items.length);

/**
 * Draws a person's order of a block's items and the places of its gold items.
 *
 * @param ordinal the how-manieth person to join, from 0
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
