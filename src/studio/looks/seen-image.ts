import type { Picture } from "../../core/models.js";
import {
  type LocalizationStrategy,
  localizationStrategies,
  localize,
} from "../../images/localize.js";
import { maskOfRuns } from "../../images/mask-runs.js";
import { pictureOfPixels } from "../../images/pixels-picture.js";
import type { EntityLook, ScoreLooks } from "./look-api.js";

/**
 * Makes what a localised metric showed its model of an entity, as the metric does: a PNG of the same
 * pixels; undefined where it showed the whole image.
 */
export async function seenImage(
  picture: Picture,
  { shape }: Pick<EntityLook, "shape">,
  { strategy }: Pick<ScoreLooks, "strategy">,
): Promise<Picture | undefined> {
  const mask = shape === null ? undefined : maskOfRuns(shape.runs, shape);
  const known: LocalizationStrategy | undefined = localizationStrategies.find(
    (one) => one === strategy,
  );
  if (mask === undefined || known === undefined || !mask.data.includes(1)) return undefined;
  if (mask.width !== picture.width || mask.height !== picture.height) return undefined;
  return pictureOfPixels(localize(await picture.pixels(), { mask, strategy: known }), picture);
}
