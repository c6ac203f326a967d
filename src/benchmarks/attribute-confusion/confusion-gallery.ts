import { type ConfusionImage, isReferenced } from "../../analysis/confusion/confusion-images.js";
import { metricOf } from "../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { RecordOf } from "../../core/records.js";
import { localizedScore } from "../../stats/localized-answers.js";
import { readGallery } from "../disagreement-gallery.js";
import type { ReportedRun } from "../run-records.js";

/** Reads the images that headline metrics, and the reference, score least alike. */
export function confusionGallery(
  images: readonly ConfusionImage[],
  standing: readonly EvaluatedMetric[],
  { blobs }: ReportedRun,
) {
  const numberOf = (score: RecordOf<"score"> | undefined) =>
    score?.status === "done" ? score.value : null;
  const hasReference = isReferenced(images);
  return readGallery({
    columns: [
      ...standing.map(({ id, direction }) => {
        const { metric, model } = metricOf({ metrics: standing }, id);
        return { name: metric, model, direction };
      }),
      ...(hasReference
        ? [{ name: "the reference", model: "F1", direction: "higher" as const }]
        : []),
    ],
    candidates: images.map(({ image, description, reference, scores }) => ({
      image,
      text: description.text,
      scores: [
        ...standing.map(({ id }) => numberOf(scores.get(id)?.original)),
        ...(hasReference ? [reference === undefined ? null : localizedScore("f1", reference)] : []),
      ],
    })),
    blobs,
  });
}
