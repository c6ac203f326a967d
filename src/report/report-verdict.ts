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
    metrics: selection.metrics.map(({ metric, overall: { triplets, controls, effect } }) => ({
      name: nameOf(metric),
      triplets,
      controls,
      effect,
    })),
    differences: differences.map(({ metric, than, difference }) => ({
      metric: nameOf(metric),
      than: nameOf(than),
      difference,
    })),
  });
}
