import type { CompletePair } from "./audited-pairs.js";

/** Null where nothing was answered, or, for shares, where nothing was flagged. */
export interface ItemRates {
  /** How often the item was flagged before, of its answers: a rate. */
  readonly initial: number | null;
  readonly refined: number | null;
  /** Its part of all flags before; the shares of all items add up to 1. It is not a rate. */
  readonly shareInitial: number | null;
  readonly shareRefined: number | null;
}

/** How often each rubric item was flagged before and after, over complete pairs. */
export function itemRates(pairs: readonly CompletePair[]): Record<string, ItemRates> {
  const before = countsOf(pairs, "initial");
  const after = countsOf(pairs, "refined");
  const items = [...new Set([...before.items.keys(), ...after.items.keys()])];
  return Object.fromEntries(
    items.map((item) => {
      const initial = before.items.get(item) ?? { answers: 0, flags: 0 };
      const refined = after.items.get(item) ?? { answers: 0, flags: 0 };
      return [
        item,
        {
          initial: ratio(initial.flags, initial.answers),
          refined: ratio(refined.flags, refined.answers),
          shareInitial: ratio(initial.flags, before.flags),
          shareRefined: ratio(refined.flags, after.flags),
        },
      ];
    }),
  );
}

function countsOf(pairs: readonly CompletePair[], phase: "initial" | "refined") {
  const items = new Map<string, { answers: number; flags: number }>();
  let flags = 0;
  for (const { answers } of pairs) {
    for (const [item, present] of answers[phase]) {
      const counts = items.get(item) ?? { answers: 0, flags: 0 };
      items.set(item, { answers: counts.answers + 1, flags: counts.flags + present });
      flags += present;
    }
  }
  return { items, flags };
}

const ratio = (above: number, below: number) => (below === 0 ? null : above / below);
