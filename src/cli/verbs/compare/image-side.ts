import { isAbsolute, join } from "node:path";
import type { Json } from "../../../core/json.js";
import type { SideImage } from "../../../images/image-changes.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { type SideItems, type SideReading, sideItems } from "./side-items.js";

/** The items of one side, and their images as they are compared. */
export interface ImageSide extends SideItems {
  readonly images: readonly SideImage[];
}

/**
 * The images of a folder, a table or a run.
 *
 * @throws InputError where it has none.
 */
export async function imageSide(
  source: string,
  reading: Omit<SideReading, "prompts">,
): Promise<ImageSide> {
  const side = await sideItems(source, { ...reading, prompts: undefined });
  const images = side.items.map(({ image, path, text, others }): SideImage => {
    const { seed = null, model = null, input_model: maker = model } = others;
    return {
      name: image,
      text,
      seed: wordOf(seed),
      model: wordOf(maker) ?? "",
      score: numberOf(others.value ?? others.score),
      open: () => openPictureFile(path, named(source, image)),
    };
  });
  return { ...side, images };
}

const wordOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" ? undefined : String(value);
const numberOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" || !Number.isFinite(Number(value))
    ? null
    : Number(value);
const named = (source: string, image: string) => (isAbsolute(image) ? image : join(source, image));
