import { groupBy } from "../../core/group-by.js";
import { randomFrom } from "../../core/random.js";
import type { ItemDraft } from "../protocols/protocol.js";

/**
 * Draws items by the study's seed, spread evenly over domains (without domains: over category, model and
 * phase). Drawn together are the images of a pair, the questions about one image, and the images that
 * several models made of one prompt, so that models are compared on the same prompts.
 *
 * @param options.sample the most items to draw; groups are drawn whole, so a few may be missing
 */
export function drawnItems(
  items: readonly ItemDraft[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly ItemDraft[] {
  const units = groupBy(unitsOf(items), ({ name }) => name);
  const strata = groupBy([...units.values()], ([first]) => JSON.stringify(stratum(first)));
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

/** An item with the name of its group. */
interface Unit {
  readonly item: ItemDraft;
  readonly name: string;
  /** Its place among its model's images of its prompt, from 0, where models are drawn together. */
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

/** The model of a single image with a text; undefined for pairs. */
const modelOf = ({ beside: { model, pair }, content }: ItemDraft): string | undefined =>
  typeof model === "string" && pair === undefined && typeof content.text === "string"
    ? model
    : undefined;

const stratum = ({ item: { beside }, turn }: Unit) => {
  const { domain, category, model, phase } = beside;
  const apart = turn === undefined ? [category, model, phase] : [category, phase];
  return domain ?? apart.map((word) => word ?? null);
};
