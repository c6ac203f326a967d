import { randomFrom } from "../../core/random.js";
import type { ItemDraft } from "../protocols/protocol.js";

/**
 * Draws items by the study's seed, as evenly as can be over domains (where there are none, over
 * category, model and phase).
 * Draws items. Those that belong together are drawn together: images of a pair, questions about one image.
 *
 * @param options.sample the number of items, or fewer by less than one such group
 */
export function drawnItems(
  items: readonly ItemDraft[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly ItemDraft[] {
  const units = grouped(items, ({ beside, images }) => JSON.stringify(beside.pair ?? images));
  const strata = grouped([...units.values()], ([first]) => JSON.stringify(first && stratum(first)));
  const random = randomFrom(seed, "study-sample");
  const left = random.shuffle([...strata.values()].map((own) => random.shuffle(own)));
  const drawn = new Set<ItemDraft>();
  for (let round = 0; left.some((own) => round < own.length); round++) {
    for (const own of left) {
      const unit = own[round] ?? [];
      if (drawn.size + unit.length <= sample) for (const item of unit) drawn.add(item);
    }
  }
  return items.filter((item) => drawn.has(item));
}

const stratum = ({ beside: { domain, category, model, phase } }: ItemDraft) =>
  domain ?? [category, model, phase].map((word) => word ?? null);

function grouped<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const name = nameOf(value);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
