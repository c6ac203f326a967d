import type { TestedMeasurement } from "../../analysis/inference/claims.js";
import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { ComparedCorrelations } from "./findings.js";
import { followers } from "./followers.js";

/** Tests if the closest metric follows the reference's F1, and by how much it leads the next. */
export function closestMetric(
  comparison: ComparedCorrelations,
  standing: readonly EvaluatedMetric[],
): {
  readonly follows: boolean;
  readonly ahead: readonly { readonly tested: TestedMeasurement }[];
} {
  const { clusters, conclusion } = comparison;
  const [closest, second] = followers({ standing, f1: conclusion });
  const isAbove = closest !== undefined && whichSide(closest.spearman) === "above";
  const follows = isAbove && clusters >= fewestToTell;
  if (closest === undefined || second === undefined) return { follows, ahead: [] };
  const both = { metric: closest.id, than: second.id };
  const { metrics } = conclusion;
  const tested: TestedMeasurement = {
    measured: `Spearman's ρ with the reference's f1: ${both.metric} minus ${both.than}`,
    scale: "correlation",
    estimate: comparison.difference({ ...both, measure: "spearman" }),
    n: Math.min(metrics[both.metric]?.n ?? 0, metrics[both.than]?.n ?? 0),
    clusters,
    clusteredBy: "description",
    test: () => comparison.test(both.metric, both.than),
  };
  return { follows, ahead: [{ tested }] };
}
