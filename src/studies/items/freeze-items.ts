import { resolve } from "node:path";
import { groupBy } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import { type Hash, hashOf } from "../../core/keys.js";
import type { Mask, Pixels } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import { boxOfMask } from "../../images/box.js";
import { localize } from "../../images/localize.js";
import { readMask } from "../../images/mask-file.js";
import { openPictureFile } from "../../images/picture-file.js";
import { encodeWebp } from "../../images/thumbnail.js";
import type { BlockSettings } from "../config/study-config.js";
import type { ItemDraft } from "../protocols/protocol.js";
import type { StudyItem } from "../study.js";

/** Takes an image as it will be shown. */
export type KeepImage = (bytes: Uint8Array) => Promise<Hash>;

export interface FreezeOptions {
  readonly settings: BlockSettings;
  /** The folder that the items' paths are relative to. */
  readonly folder: string;
  readonly isLossless: boolean;
  readonly keep: KeepImage;
  /** Called with each problem of an item. */
  readonly report: (problem: string) => void;
}

/**
 * Encodes an item's images anew, without their names, metadata and format, so that nothing in the browser
 * says which model made them. An image that can't be read is reported.
 */
export async function frozenItem(
  draft: ItemDraft,
  { settings, folder, isLossless, keep, report }: FreezeOptions,
): Promise<StudyItem | undefined> {
  const images: Hash[] = [];
  let box: readonly number[] | undefined;
  for (const path of draft.images) {
    try {
      const shown = await shownImage(resolve(folder, path), { draft, settings, folder });
      images.push(await keep(await encodeWebp(shown.pixels, { isLossless })));
      box ??= shown.box;
    } catch (error) {
      if (!(error instanceof NoAnswer) && !(error instanceof InputError)) throw error;
      const place = draft.placeOf?.(path);
      report(`${draft.id}: ${error.message}${place === undefined ? "" : ` (${place})`}`);
    }
  }
  if (images.length < draft.images.length) return undefined;
  const { mask: _, ...content } = draft.content;
  return {
    id: draft.id,
    images,
    sources: draft.images.map((path) => resolve(folder, path)),
    content: box === undefined ? content : { ...content, box },
    beside: draft.beside,
  };
}

/**
 * The image as a person sees it: whole, with a box around the entity where its mask is known, or of the
 * entity alone, as a localised metric sees it.
 */
async function shownImage(
  path: string,
  {
    draft: { content, find },
    settings: { view },
    folder,
  }: { readonly draft: ItemDraft; readonly settings: BlockSettings; readonly folder: string },
): Promise<{ readonly pixels: Pixels; readonly box?: readonly number[] | undefined }> {
  const picture = await openPictureFile(path);
  const pixels = await picture.pixels();
  if (view === "whole" || (view === "box" && Array.isArray(content.box))) return { pixels };
  const mask = (await find?.()) ?? (await maskIn(content.mask, folder));
  if (mask === undefined) return { pixels };
  if (view === "localized") {
    return { pixels: localize(pixels, { mask, strategy: "blurring+cropping" }) };
  }
  const box = boxOfMask(mask);
  return { pixels, box: box && [box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0] };
}

async function maskIn(file: Json | undefined, folder: string): Promise<Mask | undefined> {
  if (typeof file !== "string") return undefined;
  const path = resolve(folder, file);
  return (await readMask(await openPictureFile(path), path)).mask;
}

/** Returns an id made of the frozen content, so that answers can't be taken for another study's. */
export const idOf = (frozen: JsonObject): string =>
  hashOf(new TextEncoder().encode(JSON.stringify(frozen))).slice(0, 12);

/**
 * Draws items by the study's seed, spread evenly over domains (without domains: over category, model and
 * phase). The images of a pair, the questions about one image, and several models' images of one prompt
 * are drawn together.
 * @param options.sample the most items to draw; groups are drawn whole, so a few may be missing
 */
export function drawnItems(
  items: readonly ItemDraft[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly ItemDraft[] {
  const units = groupBy(unitsOf(items), ({ name }) => name);
  const strata = groupBy([...units.values()], ([first]) => JSON.stringify(stratum(first)));
  const random = randomFrom(seed, "study-sample");
  // Each prompt's second image comes after the first images of all prompts.
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
