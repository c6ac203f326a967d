import type { StudyBlock, StudyItem } from "../study.js";
import { itemsEach, type OpenAssignment, type Participation } from "./answer-tally.js";

/** Who else can still answer. */
export interface OtherPeople {
  readonly here: readonly Participation[];
  /** How many may still come. */
  readonly toCome: number;
}

/**
 * Tells whether giving an item to somebody costs the study no answer that it could have had: a person
 * answers an item once, so the last items may be such that everybody who remains has answered them. Checks
 * one person's items against all who can still answer; exact, as a maximum flow.
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

/**
 * What stays the same between two checks of a person: places of items, and what idle people can give and
 * gave.
 */
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

/** Supply of a person whose lease ran out: they answer that item first, and no other before it. */
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

/** Who can still give ratings: a person, or all who are to come taken together. */
export class Supply {
  /** Ratings that they can give in all. */
  readonly capacity: number;
  /** How many each item, by its place, can have of them: 1 of a person who has not rated it. */
  readonly limits: Int32Array;
  /** How many each item had of them in the latest search: where the next one begins. */
  readonly given: Int32Array;
  /** How many they could give beside. */
  spare: number;

  constructor(capacity: number, limits: Int32Array) {
    this.capacity = capacity;
    this.limits = limits;
    this.given = new Int32Array(limits.length);
    this.spare = capacity;
  }
}

/**
 * How many of the ratings that items still need can be given: the value of a maximum flow from people
 * to items. Those to come are one supply, which loses nothing: equal people can share any demands of
 * which none is larger than their number (Gale and Ryser, 1957).
 *
 * All give what they gave in the latest search, as far as it is still needed; what that misses is found greedily,
 * each giving to what needs most; what that misses, by augmenting paths (Ford and Fulkerson, 1956). Where a search
 * begins changes how long it takes, not what it finds.
 *
 * @param demands ratings needed by each item, by its place
 * @param supplies each once; what they have `given` changes
 * @returns at most the sum of `demands`
 * @example mostRatings([1, 1], [new Supply(2, Int32Array.of(0, 1))]) // 1
 */
export function mostRatings(demands: Int32Array, supplies: readonly Supply[]): number {
  const left = demands.slice();
  const total = sumOf(left);
  let missing = total;
  for (const supply of supplies) missing -= again(left, supply);
  for (const supply of supplies) {
    if (missing > 0 && supply.spare > 0) missing -= greedy(left, supply);
  }
  const ended: Ended = { items: new Set(), supplies: new Set() };
  for (let item = 0; item < left.length && missing > 0; item++) {
    while (at(left, item) > 0 && augment(supplies, { wanting: item, ended })) {
      add(left, item, -1);
      missing -= 1;
    }
  }
  return total - missing;
}

/** Gives what is still needed of what was given before, takes it off `left`, and returns how much it is. */
function again(left: Int32Array, supply: Supply): number {
  const { given } = supply;
  let sum = 0;
  for (let item = 0; item < given.length; item++) {
    const before = given[item] ?? 0;
    if (before === 0) continue;
    const needed = left[item] ?? 0;
    const kept = Math.min(before, needed);
    given[item] = kept;
    left[item] = needed - kept;
    supply.spare += before - kept;
    sum += kept;
  }
  return sum;
}

/** Gives to the items that need most, takes it off `left`, and returns how much it is. */
function greedy(left: Int32Array, supply: Supply): number {
  const { limits, given, spare } = supply;
  // From the smallest need to the largest.
  const byNeed: number[][] = [];
  for (let item = 0; item < left.length; item++) {
    if (at(left, item) > 0 && at(given, item) < at(limits, item)) {
      queueOf(byNeed, at(left, item)).push(item);
    }
  }
  for (let need = byNeed.length - 1; need > 0 && supply.spare > 0; need--) {
    for (const item of byNeed[need] ?? []) {
      if (supply.spare === 0) break;
      add(given, item, 1);
      add(left, item, -1);
      supply.spare -= 1;
      if (need > 1 && at(given, item) < at(limits, item)) queueOf(byNeed, need - 1).push(item);
    }
  }
  return spare - supply.spare;
}

function queueOf(byNeed: number[][], need: number): number[] {
  const queue = byNeed[need] ?? [];
  byNeed[need] = queue;
  return queue;
}

/**
 * Items and supplies that a search reached without finding a way. Nothing of them can be spared, and no way found
 * later changes that, so none is searched again: where much is missing, all searches take as long as one.
 */
interface Ended {
  readonly items: Set<number>;
  readonly supplies: Set<Supply>;
}

/** Finds one rating more for an item, by others giving theirs elsewhere; false where there is no way. */
function augment(
  supplies: readonly Supply[],
  { wanting, ended }: { readonly wanting: number; readonly ended: Ended },
): boolean {
  if (ended.items.has(wanting)) return false;
  const cameFrom = new Map<number, { readonly supply: Supply; readonly item: number }>();
  const reached = new Set<Supply>();
  const queue = [wanting];
  for (const item of queue) {
    for (const supply of supplies) {
      if (at(supply.given, item) >= at(supply.limits, item)) continue;
      if (reached.has(supply) || ended.supplies.has(supply)) continue;
      if (supply.spare > 0) {
        supply.spare -= 1;
        move(supply, { item, wanting, cameFrom });
        return true;
      }
      // Look at everything it gives, not only at the item that led here.
      reached.add(supply);
      for (let other = 0; other < supply.given.length; other++) {
        if (at(supply.given, other) === 0 || other === wanting || cameFrom.has(other)) continue;
        if (ended.items.has(other)) continue;
        // That rating can be freed if somebody else gives one there.
        cameFrom.set(other, { supply, item });
        queue.push(other);
      }
    }
  }
  for (const item of queue) ended.items.add(item);
  for (const supply of reached) ended.supplies.add(supply);
  return false;
}

/** Gives one to the last item of a way found, and moves one along the way back to the item that wanted it. */
function move(
  supply: Supply,
  {
    item: last,
    wanting,
    cameFrom,
  }: {
    readonly item: number;
    readonly wanting: number;
    readonly cameFrom: ReadonlyMap<number, { readonly supply: Supply; readonly item: number }>;
  },
): void {
  add(supply.given, last, 1);
  let from = last;
  while (from !== wanting) {
    const step = cameFrom.get(from);
    if (step === undefined) return;
    add(step.supply.given, from, -1);
    add(step.supply.given, step.item, 1);
    from = step.item;
  }
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

const add = (values: Int32Array, index: number, by: number): void => {
  values[index] = at(values, index) + by;
};

const sumOf = (values: Int32Array): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};
