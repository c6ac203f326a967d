import { randomFrom } from "../../core/random.js";
import type { ItemDraft } from "../protocols/protocol.js";

/**
 * Draws items by the study's seed, as evenly as can be over domains (where there are none, over category,
 * model and phase). Those that belong together are drawn together: images of a pair, questions about one
 * image, and what several models made of one prompt, so that models can be compared on it.
 *
 * @param options.sample the number of items, or fewer by less than one such group
 */
export function drawnItems(
  items: readonly ItemDraft[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly ItemDraft[] {
  const units = grouped(unitsOf(items), ({ name }) => name);
  const strata = grouped([...units.values()], ([first]) => JSON.stringify(first && stratum(first)));
  const random = randomFrom(seed, "study-sample");
  // A second image of a prompt comes after the first of all prompts.
  const inOrder = (own: readonly (readonly Unit[])[]) =>
    random.shuffle(own).sort(([one], [other]) => (one?.turn ?? 0) - (other?.turn ?? 0));
  const left = random.shuffle([...strata.values()].map(inOrder));
  const drawn = new Set<ItemDraft>();
  for (let round = 0; left.some((own) => round < own.length); round++) {
    for (const own of left) {
      const unit = own[round] ?? [];
      if (drawn.size + unit.length <= sample) for (const { item } of unit) drawn.add(item);
    }
  }
  return items.filter((item) => drawn.has(item));
}

/** An item with what it is drawn with. */
interface Unit {
  readonly item: ItemDraft;
  readonly name: string;
  /** The how-manieth of its model for its prompt, from 0, where models are drawn together. */
  readonly turn?: number;
}

function unitsOf(items: readonly ItemDraft[]): readonly Unit[] {
  const models = new Set(items.flatMap((item) => modelOf(item) ?? []));
  const turns = new Map<string, number>();
  return items.map((item) => {
    const { beside, content, images } = item;
    const model = modelOf(item);
    if (model === undefined || models.size < 2) {
      return { item, name: JSON.stringify(beside.pair ?? images) };
    }
    const prompt = beside.prompt ?? content.text ?? null;
    const own = JSON.stringify([model, prompt]);
    const turn = turns.get(own) ?? 0;
    turns.set(own, turn + 1);
    return { item, name: JSON.stringify([prompt, turn]), turn };
  });
}

/** The model of an image and its text that is of no pair. */
const modelOf = ({ beside: { model, pair }, content }: ItemDraft): string | undefined =>
  typeof model === "string" && pair === undefined && typeof content.text === "string"
    ? model
    : undefined;

const stratum = ({ item: { beside }, turn }: Unit) => {
  const { domain, category, model, phase } = beside;
  const apart = turn === undefined ? [category, model, phase] : [category, phase];
  return domain ?? apart.map((word) => word ?? null);
};

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
