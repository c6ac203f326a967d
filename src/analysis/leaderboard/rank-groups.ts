import { holm } from "../../stats/adjusted-p-values.js";
import type { Estimate } from "../../stats/estimate.js";
import { normalTails } from "../../stats/normal.js";
import { independentChange } from "../comparison/model-change.js";

/** Ranks that a thing may have: 1 more than are shown to be better, up to all but those shown to be worse. */
export interface RankRange {
  readonly name: string;
  readonly best: number;
  readonly worst: number;
}

/**
 * Ranks as far as pairs can be told apart, best first; names that may have the same ranks stand together, in order of
 * their names, since no order among them is shown.
 *
 * @param isBetter whether the first is shown to be better than the second
 */
export function rankRanges(
  names: readonly string[],
  isBetter: (one: string, other: string) => boolean,
): RankRange[] {
  return names
    .map((name) => ({
      name,
      best: 1 + names.filter((other) => isBetter(other, name)).length,
      worst: names.length - names.filter((other) => isBetter(name, other)).length,
    }))
    .sort((a, b) => a.best - b.best || a.worst - b.worst || (a.name < b.name ? -1 : 1));
}

/**
 * Which of several independent estimates are shown to differ: MOVER's interval of each difference, its p by the normal
 * distribution, adjusted over all pairs by Holm (1979).
 *
 * @returns whether the first of two names is shown to be above the second
 */
export function shownAbove(
  estimates: ReadonlyMap<string, Estimate>,
): (one: string, other: string) => boolean {
  const names = [...estimates.keys()];
  const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => ({ a, b })));
  const changes = pairs.map(({ a, b }) => changeOf(estimates.get(a), estimates.get(b)));
  const adjusted = holm(changes.map(pOf));
  const above = new Set(
    pairs.flatMap(({ a, b }, at) => {
      const value = changes[at]?.value ?? 0;
      if ((adjusted[at] ?? 1) > 0.05 || value === 0) return [];
      return [JSON.stringify(value > 0 ? [a, b] : [b, a])];
    }),
  );
  return (one, other) => above.has(JSON.stringify([one, other]));
}

const changeOf = (one: Estimate | undefined, other: Estimate | undefined) =>
  one === undefined || other === undefined ? undefined : independentChange(one, other, "higher");

/** Two-sided, by the half of the 95 % interval that faces 0; 1 where there is none. */
function pOf(change: Estimate | undefined): number {
  if (change?.value == null || change.low === null || change.high === null) return 1;
  const half = change.value > 0 ? change.value - change.low : change.high - change.value;
  if (half <= 0) return 1;
  return normalTails((1.959963984540054 * Math.abs(change.value)) / half);
}
