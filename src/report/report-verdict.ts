import { spokenName } from "./metric-name.js";
import type { PrototypicalityReport } from "./prototypicality-report.js";
import { verdict } from "./verdict.js";

/** The verdict of a report, about its first selection; see `verdict`. */
export function reportVerdict({
  metrics,
  selections: [selection],
  differences,
}: Pick<PrototypicalityReport, "metrics" | "selections" | "differences">): string[] {
  const nameOf = (id: string) => spokenName({ metrics }, id);
  return verdict({
    metrics: selection.metrics.map(({ metric, overall, isEffectTold = true }) => ({
      name: nameOf(metric),
      triplets: overall.triplets,
      controls: overall.controls,
      effect: overall.effect,
      isEffectTold,
    })),
    differences: differences.map(({ metric, than, ...difference }) => ({
      metric: nameOf(metric),
      than: nameOf(than),
      ...difference,
    })),
  });
}
