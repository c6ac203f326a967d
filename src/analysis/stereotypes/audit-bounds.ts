import { type AuditScope, isWithin } from "./index-change.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** Bounds of an index: every unanswered item counted as absent, and as present. */
export interface IndexBounds {
  readonly low: number;
  readonly high: number;
  /** Items without an answer, of how many. */
  readonly unscored: number;
  readonly items: number;
}

/** Null where nothing was asked in that phase. */
export interface ScopeBounds {
  readonly initial: IndexBounds | null;
  readonly refined: IndexBounds | null;
  /** Bounds of initial minus refined; null where a phase has none. */
  readonly difference: { readonly low: number; readonly high: number } | null;
}

/**
 * The extremes of the index over all sets that were asked about before or after, answered or not. A set
 * that was asked about in one phase only (its query was not rewritten) counts in the other with all
 * of its items unscored, so that nothing is out of the bounds in silence.
 */
export function indexBounds(rows: readonly StereotypeRow[], scope: AuditScope = {}): ScopeBounds {
  const sets = new Map<string, Record<StereotypeRow["phase"], Map<string, 0 | 1 | null>>>();
  for (const row of rows) {
    const { category, query, model, imageSet } = row;
    const set = { category, query, model, imageSet };
    if (!isWithin(scope, row)) continue;
    const id = JSON.stringify(set);
    const found = sets.get(id) ?? { initial: new Map(), refined: new Map() };
    sets.set(id, found);
    found[row.phase].set(row.item, row.present);
  }
  const asked = { initial: false, refined: false };
  const sums = { initial: noSums(), refined: noSums() };
  for (const set of sets.values()) {
    const items = new Set([...set.initial.keys(), ...set.refined.keys()]);
    for (const phase of ["initial", "refined"] as const) {
      if (set[phase].size > 0) asked[phase] = true;
      let [present, unscored] = [0, 0];
      for (const item of items) {
        const answer = set[phase].get(item) ?? null;
        if (answer === null) unscored += 1;
        else present += answer;
      }
      const sum = sums[phase];
      sum.low += present / items.size;
      sum.high += (present + unscored) / items.size;
      sum.unscored += unscored;
      sum.items += items.size;
    }
  }
  const bounds = (phase: StereotypeRow["phase"]): IndexBounds | null => {
    const { low, high, ...counts } = sums[phase];
    return asked[phase] ? { low: low / sets.size, high: high / sets.size, ...counts } : null;
  };
  const [initial, refined] = [bounds("initial"), bounds("refined")];
  return {
    initial,
    refined,
    difference:
      initial === null || refined === null
        ? null
        : { low: initial.low - refined.high, high: initial.high - refined.low },
  };
}

const noSums = () => ({ low: 0, high: 0, unscored: 0, items: 0 });
