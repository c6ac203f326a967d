import {
  type ConfusionImage,
  confusionGroupedRows,
  isReferenced,
} from "../../analysis/confusion/confusion-images.js";
import { groupedSwapTest } from "../../analysis/confusion/grouped-swap-test.js";
import { groupedCorrelation } from "../../analysis/correlation/grouped-correlation.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { randomFrom } from "../../core/random.js";
import type { LocalizedScore } from "../../stats/localized-answers.js";
import type { PublishedConfusion } from "./conclusion.js";
import type { ComparedCorrelations, ConfusionEvidence } from "./findings.js";
import type { Resampling } from "./swap-selections.js";

/**
 * Correlates metrics with the reference in groups of images, as the paper does; each target once.
 *
 * @returns undefined of every target where no image has a reference.
 */
export function referenceCorrelations(
  images: readonly ConfusionImage[],
  metrics: readonly EvaluatedMetric[],
  { published, ...options }: Resampling & { readonly published: PublishedConfusion },
): ConfusionEvidence["correlation"] {
  const { groups, seeds } = published.correlation;
  const ids = metrics.map(({ id }) => id);
  const known = new Map<LocalizedScore, ComparedCorrelations>();
  const compare = (target: LocalizedScore): ComparedCorrelations => {
    const rows = confusionGroupedRows(images, metrics, target);
    const dealing = { target, groups, seeds };
    const compared = groupedCorrelation(
      { human: `the reference's ${target}`, metrics: ids, rows },
      { ...dealing, ...options },
    );
    return {
      ...compared,
      clusters: compared.conclusion.intervals.clusters,
      test: (metric: string, than: string) =>
        groupedSwapTest(rows, {
          ...dealing,
          places: [ids.indexOf(metric), ids.indexOf(than)],
          measure: "spearman",
          unit: "description",
          random: randomFrom(options.seed, "exact test", target, metric, than),
        }),
    };
  };
  return (target) => {
    if (!isReferenced(images)) return undefined;
    const comparison = known.get(target) ?? compare(target);
    known.set(target, comparison);
    return comparison;
  };
}
