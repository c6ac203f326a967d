import {
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  isReferenced,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import type { CardRow } from "../../analysis/trust-card/trust-card-rows.js";
import { isProbability } from "../../core/metric.js";
import type { BenchmarkCards, ConcludeOptions } from "../benchmark.js";
import { isFromLab, type ReportedRun, readRunRecords } from "../run-records.js";
import { circularMetrics } from "./circular-reference.js";
import { localizedMetrics } from "./localized-metrics.js";

/**
 * The rows of trust cards: descriptions against swapped ones, of images that show what they should
 * where a reference says so; and whether an image shows its description. There are none where nobody said
 * what images show, nor for a metric for which people's answers are no reference.
 */
export async function swapCards(
  run: ReportedRun,
  { unfiltered = false }: ConcludeOptions,
): Promise<BenchmarkCards> {
  const records = await readRunRecords(run);
  const { metrics, images } = confusionImages(records);
  const isUnreferenced = !unfiltered && !isReferenced(images);
  const counted = isUnreferenced ? [] : imagesToSwap(images, { unfiltered });
  const circular = circularMetrics(localizedMetrics(metrics), records.scores);
  return {
    selection: isUnreferenced
      ? "no images: nobody said what they show, and people's answers would (touchstone study create)"
      : unfiltered
        ? "all pairs of images"
        : "images that show what they should, by its reference",
    isFromLab: isFromLab(records),
    metrics: metrics.map((metric) => {
      if (!unfiltered && circular.some((one) => one.metric === metric)) return { metric, rows: [] };
      const swaps = swapRows(counted, [metric]).map(
        ({ id, prompt, set, original, swapped }, at): CardRow => ({
          id: `${id}/swap`,
          prompt,
          image: id,
          domain: set,
          comparison: "attribute-swap",
          correct: original,
          adversarial: swapped,
          record: counted[at]?.scores.get(metric.id)?.original?.key,
        }),
      );
      const stated = images.flatMap((one): CardRow[] => {
        const score = one.scores.get(metric.id)?.original;
        if (one.reference === undefined || score === undefined) return [];
        const value = score.status === "done" ? score.value : null;
        const label = isAsDescribed(one) ? 1 : 0;
        const { key } = one.image;
        return [
          {
            id: key,
            record: score.key,
            prompt: one.description.key,
            image: key,
            score: value,
            label,
            ...(isProbability(metric) ? { probability: value } : {}),
          },
        ];
      });
      return { metric, rows: [...swaps, ...stated] };
    }),
  };
}
