import { attributes } from "../../analysis/confusion/attributes.js";
import { type ConfusionImage, isAsDescribed } from "../../analysis/confusion/confusion-images.js";
import { scoreSummary } from "../../analysis/pairs/score-summary.js";
import { withoutRevision } from "../../core/models.js";
import type { GeneratorResults } from "./conclusion.js";
import type { Resampling } from "./swap-selections.js";

/** Returns, for each generator, how often its images are as described, by the reference. */
export function generatorResults(
  images: readonly ConfusionImage[],
  intervals: Resampling,
): GeneratorResults[] {
  const names = [...new Set(images.map(({ image }) => image.model))];
  return names.map((generator) => {
    const own = images.filter(({ image }) => image.model === generator);
    const referenced = own.filter(({ reference }) => reference !== undefined);
    const { pooled } = attributes(
      referenced.flatMap(({ image, description, truths }) =>
        truths.map(({ entity, attribute, kind, probability }) => ({
          image: image.key,
          prompt: description.key,
          entity,
          attribute,
          kind,
          probability,
        })),
      ),
      intervals,
    ).intervalsOf;
    const share = scoreSummary(
      referenced.map((one) => ({
        id: one.image.key,
        prompt: one.description.key,
        value: isAsDescribed(one) ? 1 : 0,
      })),
      { range: [0, 1], isShare: true, ...intervals },
    );
    return {
      generator: withoutRevision(generator),
      images: own.length,
      referenced: referenced.length,
      asDescribed: share.mean,
      ...pooled,
    };
  });
}
