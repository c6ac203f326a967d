import type { StudyBlock, StudyItem } from "../study.js";
import { mostRatings, Supply } from "./most-ratings.js";
import type { OpenAssignment, Participation } from "./participation.js";
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
 * @param options.answersTo answers to each item, open assignments included while their lease runs
 * @param options.isLeased whether the lease of an open assignment still runs
 */
export function keepsCapacity(
  block: StudyBlock,
  {
    person,
    others: { here, toCome },
    answersTo,
    isLeased,
  }: {
    readonly person: Participation;
    readonly others: OtherPeople;
    readonly answersTo: (item: StudyItem) => number;
    readonly isLeased: (open: OpenAssignment) => boolean;
  },
): (item: StudyItem) => boolean {
  const { ratingsPerItem } = block.settings;
  const demands = Int32Array.from(block.items, (item) =>
    Math.max(0, ratingsPerItem - answersTo(item)),
  );
  const each = itemsEach(block);
  const known = knownOf(block);
  const own = supplyOf({ ...person, open: undefined }, { block, places: known.places });
  const rest: Supply[] = [];
  for (const one of here) {
    const supplies = [
      keptSupply(one, { block, known }),
      lapsedSupply(one, { block, places: known.places, isLeased }),
    ];
    for (const supply of supplies)
      if (supply !== undefined && supply.capacity > 0) rest.push(supply);
  }
  rest.push(new Supply(toCome * each, new Int32Array(demands.length).fill(toCome)));
  let before: number | undefined;
  return (item) => {
    const place = known.places.get(item.id);
    if (place === undefined) return false;
    const demandsAfter = demands.slice();
    demandsAfter[place] = (demands[place] ?? 0) - 1;
    const limits = own.limits.slice();
    limits[place] = 0;
    const after = mostRatings(demandsAfter, [new Supply(own.capacity - 1, limits), ...rest]);
    if (after === demandsAfter.reduce((sum, demand) => sum + demand, 0)) return true;
    before ??= mostRatings(demands, [own, ...rest]);
    return after + 1 >= before;
  };
}

/** Facts that hold from one look to the next: places of items, and what idle others can give, and gave. */
interface Known {
  readonly places: ReadonlyMap<string, number>;
  readonly supplies: WeakMap<Participation, KeptSupply>;
}

interface KeptSupply {
  readonly supply: Supply;
  /** Items that the person had done and open then. */
  readonly done: number;
  readonly open: Participation["open"];
}

const knownByBlock = new WeakMap<StudyBlock, Known>();

function knownOf(block: StudyBlock): Known {
  const known = knownByBlock.get(block) ?? {
    places: new Map(block.items.map(({ id }, place) => [id, place])),
    supplies: new WeakMap(),
  };
  knownByBlock.set(block, known);
  return known;
}

function keptSupply(
  one: Participation,
  { block, known: { places, supplies } }: { readonly block: StudyBlock; readonly known: Known },
): Supply {
  const kept = supplies.get(one);
  if (kept !== undefined && kept.done === one.done.length && kept.open === one.open) {
    return kept.supply;
  }
  const supply = supplyOf(one, { block, places });
  supplies.set(one, { supply, done: one.done.length, open: one.open });
  return supply;
}

/** Whoever let a lease run out still answers that item first, and can give that answer to no other. */
function lapsedSupply(
  { open }: Participation,
  {
    block,
    places,
    isLeased,
  }: {
    readonly block: StudyBlock;
    readonly places: Known["places"];
    readonly isLeased: (open: OpenAssignment) => boolean;
  },
): Supply | undefined {
  if (open?.block !== block.name || open.kind !== "item" || isLeased(open)) return undefined;
  const place = places.get(open.item);
  if (place === undefined) return undefined;
  const limits = new Int32Array(block.items.length);
  limits[place] = 1;
  return new Supply(1, limits);
}

function supplyOf(
  { done, open }: Participation,
  { block, places }: { readonly block: StudyBlock; readonly places: Known["places"] },
): Supply {
  const limits = new Int32Array(block.items.length).fill(1);
  let capacity = itemsEach(block);
  for (const one of open === undefined ? done : [...done, open]) {
    if (one.block !== block.name || one.kind !== "item") continue;
    capacity -= 1;
    const place = places.get(one.item);
    if (place !== undefined) limits[place] = 0;
  }
  return new Supply(Math.max(0, capacity), limits);
}
