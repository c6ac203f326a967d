import type { ConfusionImage } from "../../analysis/confusion/confusion-images.js";
import {
  isNotable,
  soughtEntities,
  unfoundText,
} from "../../analysis/confusion/sought-entities.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import { metricWarnings } from "../../analysis/inference/metric-warnings.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";

/** Names metrics that judged many entities on the whole image, since these were not found. */
export const unfoundWarnings = (
  images: readonly ConfusionImage[],
  metrics: readonly EvaluatedMetric[],
): string[] =>
  metricWarnings(
    metrics.flatMap(({ id }) => {
      const originals = images.map(({ scores }) => scores.get(id)?.original);
      const sought = soughtEntities(
        originals.map((score) => (score?.status === "done" ? score.details : undefined)),
      );
      const metric = spokenName({ metrics }, id);
      return isNotable(sought) ? [{ metric, text: unfoundText(sought) }] : [];
    }),
  );
