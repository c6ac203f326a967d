import { square } from "../../stats/elementary/powers.js";
/** A stratum to draw from. */
export interface OpenStratum {
  /** Items without a label. */
  readonly items: number;
  /** The expected standard deviation of answers within it. */
  readonly spread: number;
}

/** The least probability of an item, as a share of the mean probability, so that no weight explodes. */
const leastShare = 0.02;
/** Fewer labels in a stratum tell no variance. */
const fewest = 2;

/**
 * How many labels each stratum gets of a budget: Neyman allocation, labels in proportion to items x spread, made whole
 * by giving each label to where it lowers sum (items x spread)^2 / labels most, which is optimal. Every stratum gets
 * two or all of its items, and no probability is below `leastShare` of the mean, as far as the budget goes.
 *
 * @param budget at most the items there are.
 * @example allocateLabels([{ items: 50, spread: 0.5 }, { items: 50, spread: 0.1 }], 12) // [10, 2]
 */
export function allocateLabels(strata: readonly OpenStratum[], budget: number): number[] {
  const all = strata.reduce((sum, { items }) => sum + items, 0);
  const floor = (leastShare * budget) / all;
  const counts = strata.map(() => 0);
  const most = Math.min(budget, all);
  const least = strata.map(({ items }) =>
    Math.min(items, Math.max(fewest, Math.ceil(floor * items))),
  );
  const gain = (at: number) => {
    const { items, spread } = strata[at] ?? { items: 0, spread: 0 };
    const count = counts[at] ?? 0;
    if (count >= items) return -1;
    if (count < (least[at] ?? 0)) return Number.MAX_VALUE / (count + 1);
    return square(items * spread) / (count * (count + 1));
  };
  for (let given = 0; given < most; given++) {
    let best = 0;
    for (let at = 1; at < strata.length; at++) if (gain(at) > gain(best)) best = at;
    counts[best] = (counts[best] ?? 0) + 1;
  }
  return counts;
}
