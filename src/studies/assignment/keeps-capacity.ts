import type { StudyBlock, StudyItem } from "../study.js";
import { mostRatings, type Supply } from "./most-ratings.js";
import type { Participation } from "./participation.js";
import { itemsEach } from "./personal-order.js";

/** Who else can still answer. */
export interface OtherPeople {
  readonly here: readonly Participation[];
  /** How many may still come. */
  readonly toCome: number;
}

/**
 * Whether somebody may be given an item without an answer getting lost that the study could have had:
 * people answer an item once, so one may be left that all who remain have answered. A check of a
 * person's items against all who can still answer; exact, as a maximum flow.
 *
 * @param options.answersTo answers to each item, open assignments included
 */
export function keepsCapacity(
  block: StudyBlock,
  {
    person,
    others: { here, toCome },
    answersTo,
  }: {
    readonly person: Participation;
    readonly others: OtherPeople;
    readonly answersTo: (item: StudyItem) => number;
  },
): (item: StudyItem) => boolean {
  const places = new Map(block.items.map(({ id }, place) => [id, place]));
  const { ratingsPerItem } = block.settings;
  const demands = Int32Array.from(block.items, (item) =>
    Math.max(0, ratingsPerItem - answersTo(item)),
  );
  const each = itemsEach(block);
  const supplyOf = ({ done, open }: Participation): Supply => {
    const limits = new Int32Array(demands.length).fill(1);
    let capacity = each;
    for (const one of open === undefined ? done : [...done, open]) {
      if (one.block !== block.name || one.kind !== "item") continue;
      capacity -= 1;
      const place = places.get(one.item);
      if (place !== undefined) limits[place] = 0;
    }
    return { capacity: Math.max(0, capacity), limits };
  };
  const own = supplyOf({ ...person, open: undefined });
  const rest = here.map(supplyOf).filter(({ capacity }) => capacity > 0);
  rest.push({
    capacity: toCome * each,
    limits: new Int32Array(demands.length).fill(toCome),
  });
  let before: number | undefined;
  return (item) => {
    const place = places.get(item.id);
    if (place === undefined) return false;
    const demandsAfter = demands.slice();
    demandsAfter[place] = (demands[place] ?? 0) - 1;
    const limits = own.limits.slice();
    limits[place] = 0;
    const after = mostRatings(demandsAfter, [{ capacity: own.capacity - 1, limits }, ...rest]);
    if (after === demandsAfter.reduce((sum, demand) => sum + demand, 0)) return true;
    before ??= mostRatings(demands, [own, ...rest]);
    return after + 1 >= before;
  };
}
