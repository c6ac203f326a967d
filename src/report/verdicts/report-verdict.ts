import { spokenName } from "../../analysis/inference/metric-name.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { isByPeople } from "../../core/people-model.js";
import { pluralText, spokenShare } from "../../views/number-text.js";
import { verdict } from "./verdict.js";

/**
 * The verdict of a report, about its first selection; see `verdict`. People are what metrics are held
 * against, so they are not among those that are ranked; what they prefer has a sentence of its own.
 */
export function reportVerdict({
  metrics,
  selections: [selection],
  differences,
}: Pick<PrototypicalityReport, "metrics" | "selections" | "differences">): string[] {
  const nameOf = (id: string) => spokenName({ metrics }, id);
  const ranked = rankedOf({ metrics, selections: [selection] });
  const domains = ranked.flatMap((each) => Object.keys(each.domains));
  const sentences = verdict({
    domains: [...new Set(domains)],
    metrics: ranked.map(({ metric, overall, macro, isEffectTold = true }) => ({
      name: nameOf(metric),
      triplets: overall.triplets,
      controls: overall.controls,
      effect: overall.effect,
      reversed: overall.reversed,
      reversedEffect: overall.reversedEffect,
      isEffectTold,
      macroFailureRate: macro.triplets.failureRate,
    })),
    differences: differences.map(({ metric, than, ...difference }) => ({
      metric: nameOf(metric),
      than: nameOf(than),
      ...difference,
    })),
  });
  const people = selection.metrics
    .filter((one) => !ranked.includes(one))
    .map(({ overall: { triplets } }) => triplets)
    .filter(({ n, failureRate }) => n > 0 && failureRate.value !== null)
    .map(
      ({ n, failureRate }) =>
        `People prefer the typical wrong image in ${spokenShare(failureRate, pluralText(n, "triplet"))}.`,
    );
  return [...sentences, ...people];
}

type Selected = Pick<PrototypicalityReport, "metrics" | "selections">;

/** The metrics of the first selection that no people are, or people where there is no other. */
function rankedOf({ metrics, selections: [selection] }: Selected) {
  const people = new Set(metrics.filter(isByPeople).map(({ id }) => id));
  const others = selection.metrics.filter(({ metric }) => !people.has(metric));
  return others.length === 0 ? selection.metrics : others;
}

/** The metrics that the verdict sets against each other, by their ids. */
export function worstAndBest(report: Selected): {
  readonly worst: string | undefined;
  readonly best: string | undefined;
} {
  const ranked = rankedOf(report)
    .flatMap(({ metric, overall: { triplets } }) => {
      const { n, failureRate } = triplets;
      return n === 0 || failureRate.value === null ? [] : [{ metric, rate: failureRate.value }];
    })
    .sort((a, b) => b.rate - a.rate);
  return { worst: ranked[0]?.metric, best: ranked.at(-1)?.metric };
}
