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
  // By need: those that need one, those that need two, …
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
      // All that it gives is looked at now, whichever item it was reached by.
      reached.add(supply);
      for (let other = 0; other < supply.given.length; other++) {
        if (at(supply.given, other) === 0 || other === wanting || cameFrom.has(other)) continue;
        if (ended.items.has(other)) continue;
        // It may be taken from there, if somebody else gives one there instead.
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
