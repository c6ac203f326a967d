import { masksOf } from "../../../benchmarks/attribute-confusion/masks-of.js";
import { modelsOf } from "../../../core/metric.js";
import { type Mask, modelName } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { givenMasks } from "../../../models/masks/masks.js";
import type { FoundEntity } from "./image-source.js";

/** Says where an entity of a run's image is; undefined where nobody said. */
export type EntityFinder = (asked: {
  /** Of the image's record. */
  readonly key: string;
  readonly path: string;
  readonly entity: string;
}) => FoundEntity | undefined;

/**
 * Masks from a folder or table, as `masks:DIR` reads them.
 *
 * @throws InputError where there are none
 */
export async function findByMasks(path: string): Promise<EntityFinder> {
  const localizer = await givenMasks(path);
  const localizers = [modelName(localizer.identity), ...localizer.foundBy];
  return ({ path: image, entity }) => ({
    mask: async () => localizer.localize(await openPictureFile(image), entity),
    localizers,
  });
}

/** Masks that the localisers of the run's own metrics gave, of each image those of the first metric. */
export async function findByRun(run: RecordStore): Promise<EntityFinder> {
  const byScore = await masksOf(run);
  const byImage = new Map<string, { masks: ReadonlyMap<string, Mask>; localizers: string[] }>();
  for await (const score of run.ofType("score")) {
    const masks = byScore.get(score.key);
    if (masks === undefined || byImage.has(score.of)) continue;
    const [answerer, localizer = answerer] = modelsOf(score).models.map(({ model }) => model);
    byImage.set(score.of, { masks, localizers: localizer === undefined ? [] : [localizer] });
  }
  return ({ key, entity }) => {
    const found = byImage.get(key);
    const mask = found?.masks.get(entity);
    return found && mask && { mask: async () => mask, localizers: found.localizers };
  };
}
