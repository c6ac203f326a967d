/** Who can still give ratings: a person, or all who are to come taken together. */
export interface Supply {
  /** Ratings that they can give in all. */
  readonly capacity: number;
  /** How many each item, by its place, can have of them: 1 of a person who has not rated it. */
  readonly limits: Int32Array;
}

/**
 * How many of the ratings that items still need can be given: the value of a maximum flow from people
 * to items. Those to come are one supply, which loses nothing: equal people can share any demands of
 * which none is larger than their number (Gale and Ryser, 1957).
 *
 * Found greedily, each taking what needs most; what that misses, by augmenting paths (Ford and
 * Fulkerson, 1956).
 *
 * @param demands ratings needed by each item, by its place
 * @returns at most the sum of `demands`
 * @example mostRatings([1, 1], [{ capacity: 2, limits: Int32Array.of(0, 1) }]) // 1
 */
export function mostRatings(demands: Int32Array, supplies: readonly Supply[]): number {
  const left = demands.slice();
  const total = sumOf(left);
  const flows = supplies.map((supply) => greedy(left, supply));
  let missing = sumOf(left);
  const ended: Ended = { items: new Set(), flows: new Set() };
  for (let item = 0; item < left.length && missing > 0; item++) {
    while (at(left, item) > 0 && augment(flows, { wanting: item, ended })) {
      add(left, item, -1);
      missing -= 1;
    }
  }
  return total - missing;
}

/** Flow from one supply to each item, and what it could give beside. */
interface Flow {
  readonly limits: Int32Array;
  readonly given: Int32Array;
  spare: number;
}

/** Gives to the items that need most, and takes it off `left`. */
function greedy(left: Int32Array, { capacity, limits }: Supply): Flow {
  const given = new Int32Array(left.length);
  let spare = capacity;
  // By need: those that need one, those that need two, …
  const byNeed: number[][] = [];
  for (let item = 0; item < left.length; item++) {
    if (at(limits, item) > 0 && at(left, item) > 0) queueOf(byNeed, at(left, item)).push(item);
  }
  for (let need = byNeed.length - 1; need > 0 && spare > 0; need--) {
    for (const item of byNeed[need] ?? []) {
      if (spare === 0) break;
      add(given, item, 1);
      add(left, item, -1);
      spare -= 1;
      if (need > 1 && at(given, item) < at(limits, item)) queueOf(byNeed, need - 1).push(item);
    }
  }
  return { limits, given, spare };
}

function queueOf(byNeed: number[][], need: number): number[] {
  const queue = byNeed[need] ?? [];
  byNeed[need] = queue;
  return queue;
}

/**
 * Items and flows that a search reached without finding a way. Nothing of them can be spared, and no way found
 * later changes that, so none is searched again: where much is missing, all searches take as long as one.
 */
interface Ended {
  readonly items: Set<number>;
  readonly flows: Set<Flow>;
}

/** Finds one rating more for an item, by others giving theirs elsewhere; false where there is no way. */
function augment(
  flows: readonly Flow[],
  { wanting, ended }: { readonly wanting: number; readonly ended: Ended },
): boolean {
  if (ended.items.has(wanting)) return false;
  const cameFrom = new Map<number, { readonly flow: Flow; readonly item: number }>();
  const reached = new Set<Flow>();
  const queue = [wanting];
  for (const item of queue) {
    for (const flow of flows) {
      if (reached.has(flow) || ended.flows.has(flow)) continue;
      if (at(flow.given, item) >= at(flow.limits, item)) continue;
      if (flow.spare > 0) {
        flow.spare -= 1;
        move(flow, { item, wanting, cameFrom });
        return true;
      }
      // All that it gives is looked at now, whichever item it was reached by.
      reached.add(flow);
      for (let other = 0; other < flow.given.length; other++) {
        if (at(flow.given, other) === 0 || other === wanting || cameFrom.has(other)) continue;
        if (ended.items.has(other)) continue;
        // It may be taken from there, if somebody else gives one there instead.
        cameFrom.set(other, { flow, item });
        queue.push(other);
      }
    }
  }
  for (const item of queue) ended.items.add(item);
  for (const flow of reached) ended.flows.add(flow);
  return false;
}

/** Gives one to the last item of a way found, and moves one along the way back to the item that wanted it. */
function move(
  flow: Flow,
  {
    item: last,
    wanting,
    cameFrom,
  }: {
    readonly item: number;
    readonly wanting: number;
    readonly cameFrom: ReadonlyMap<number, { readonly flow: Flow; readonly item: number }>;
  },
): void {
  add(flow.given, last, 1);
  let from = last;
  while (from !== wanting) {
    const step = cameFrom.get(from);
    if (step === undefined) return;
    add(step.flow.given, from, -1);
    add(step.flow.given, step.item, 1);
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
