import { isAbsolute, join } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import type { SideImage } from "../../../images/image-changes.js";
import { openPicture } from "../../../images/picture.js";
import { openPictureFile } from "../../../images/picture-file.js";
import type { Environment } from "../../environment.js";
import { isRun } from "../score/score-run.js";
import { sideItems, type TextsFrom } from "./side-items.js";

/** The images of one side, and what was noted when they were found. */
export interface ImageSide {
  readonly images: readonly SideImage[];
  readonly notes: readonly string[];
  readonly textsFrom: TextsFrom;
}

/**
 * The images of a folder, a table or a run.
 *
 * @throws InputError where it has none.
 */
export async function imageSide(
  source: string,
  {
    environment,
    map,
    allowOutside,
  }: {
    readonly environment: Environment;
    readonly map: readonly string[];
    readonly allowOutside: boolean;
  },
): Promise<ImageSide> {
  const { images, notes, textsFrom } = (await isRun(source, environment))
    ? { images: await imagesOfRun(source, environment), notes: [], textsFrom: "elsewhere" as const }
    : await imagesOfItems(source, { environment, map, allowOutside });
  if (images.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
  return { images, notes, textsFrom };
}

async function imagesOfItems(
  source: string,
  { environment, map, allowOutside }: Parameters<typeof imageSide>[1],
): Promise<ImageSide> {
  const reading = { environment, map, allowOutside, prompts: undefined };
  const { items, notes, textsFrom } = await sideItems(source, reading);
  const images = items.map(({ image, path, text, others }): SideImage => {
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
  return { images, notes, textsFrom };
}

const wordOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" ? undefined : String(value);
const numberOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" || !Number.isFinite(Number(value))
    ? null
    : Number(value);
const named = (source: string, image: string) => (isAbsolute(image) ? image : join(source, image));

async function imagesOfRun(source: string, environment: Environment): Promise<SideImage[]> {
  const store = await openStore(runPlace(source, environment));
  const images: SideImage[] = [];
  for await (const record of store.ofType("image")) {
    if (record.status !== "done") continue;
    const { image, text, seed, role, sample, model } = record;
    images.push({
      name: image,
      text,
      // One seed may serve several roles of a prompt.
      seed: JSON.stringify([role, sample, seed]),
      model,
      score: null,
      open: async () => openPicture(await store.blobs.read(image), `image ${image}`),
    });
  }
  return images;
}
