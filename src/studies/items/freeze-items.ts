import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import { type Hash, hashOf } from "../../core/keys.js";
import type { Mask, Pixels } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { boxOfMask } from "../../images/box.js";
import { encodeWebp } from "../../images/encode-webp.js";
import { localize } from "../../images/localize.js";
import { readMask } from "../../images/mask-file.js";
import { openPictureFile } from "../../images/picture-file.js";
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
  /** Told what is wrong with an item. */
  readonly report: (problem: string) => void;
}

/**
 * Encodes an item's images anew, without names, metadata or the format that they had: nothing that a
 * browser receives says which model made them. An image that can't be read is reported.
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

/** Names what is frozen, so that a study's answers can't be taken for another's. */
export const idOf = (frozen: JsonObject): string =>
  hashOf(new TextEncoder().encode(JSON.stringify(frozen))).slice(0, 12);
