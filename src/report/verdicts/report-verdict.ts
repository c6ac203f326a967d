import { spokenName } from "../../analysis/inference/metric-name.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { verdict } from "./verdict.js";

/** The verdict of a report, about its first selection; see `verdict`. */
export function reportVerdict({
  metrics,
  selections: [selection],
  differences,
}: Pick<PrototypicalityReport, "metrics" | "selections" | "differences">): string[] {
  const nameOf = (id: string) => spokenName({ metrics }, id);
  const domains = selection.metrics.flatMap((each) => Object.keys(each.domains));
  return verdict({
    domains: [...new Set(domains)],
    metrics: selection.metrics.map(({ metric, overall, macro, isEffectTold = true }) => ({
      name: nameOf(metric),
      triplets: overall.triplets,
      controls: overall.controls,
      effect: overall.effect,
      isEffectTold,
      macroFailureRate: macro.triplets.failureRate,
    })),
    differences: differences.map(({ metric, than, ...difference }) => ({
      metric: nameOf(metric),
      than: nameOf(than),
      ...difference,
    })),
  });
}

/** The metrics that the verdict sets against each other, by their ids. */
export function worstAndBest({
  selections: [{ metrics }],
}: Pick<PrototypicalityReport, "selections">): {
  readonly worst: string | undefined;
  readonly best: string | undefined;
} {
  const ranked = metrics
    .flatMap(({ metric, overall: { triplets } }) => {
      const { n, failureRate } = triplets;
      return n === 0 || failureRate.value === null ? [] : [{ metric, rate: failureRate.value }];
    })
    .sort((a, b) => b.rate - a.rate);
  return { worst: ranked[0]?.metric, best: ranked.at(-1)?.metric };
}
