import { undefinedEstimate } from "../../analysis/inference/intervals.js";
import type { SwapConclusion } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { ConfusionReport } from "./conclusion.js";
import { type ComparedCorrelations, type ConfusionEvidence, unreferenced } from "./findings.js";
import { type ExchangedPart, exchangedParts, type LocalizedMetric } from "./localized-metrics.js";

/** Returns, by strategy, the localised metrics that differ from the published one in nothing else. */
export function strategiesOf(
  localized: readonly LocalizedMetric[],
  standing: readonly EvaluatedMetric[],
): Map<LocalizedMetric["strategy"], string> {
  const base = localized.find(({ metric }) => standing.includes(metric));
  const alike = localized.filter(
    (one) =>
      one.target === base?.target &&
      one.leakage === base.leakage &&
      one.metric.model === base.metric.model,
  );
  return new Map(alike.map(({ strategy, metric }) => [strategy, metric.id]));
}

/** Returns the localised metric that is looked at, and those with another answerer, or localiser, alone. */
export function partsOf(
  localized: readonly LocalizedMetric[],
  base: LocalizedMetric | undefined,
): ConfusionEvidence["byPart"] {
  const exchanging = (part: ExchangedPart["part"]) =>
    localized.filter((one) => {
      if (base === undefined || one.target !== base.target) return false;
      const parts = exchangedParts(one, base).map((exchanged) => exchanged.part);
      return one === base || (parts.length === 1 && parts[0] === part);
    });
  const models = (part: "answerer" | "localiser") =>
    [...exchanging(part)]
      .sort((one, other) => Number(other === base) - Number(one === base))
      .map(({ metric, answerer, localizer }) => ({
        metric: metric.id,
        model: part === "answerer" ? answerer : localizer,
      }));
  return { answerer: models("answerer"), localiser: models("localiser") };
}

/** Lists every way of localising, and what it exchanges of the one that is looked at. */
export const variantsOf = (
  localized: readonly LocalizedMetric[],
  {
    looking,
    swap,
    f1,
    isUnreferenced,
  }: {
    readonly looking: LocalizedMetric | undefined;
    readonly swap: SwapConclusion;
    readonly f1: ComparedCorrelations | undefined;
    readonly isUnreferenced: boolean;
  },
): ConfusionReport["variants"] =>
  localized
    .filter(({ target }) => target !== "other")
    .map((variant) => {
      const { metric, strategy, leakage, answerer, localizer } = variant;
      const { id } = metric;
      const summary = isUnreferenced ? undefined : swap.metrics[id]?.overall;
      const correlated = f1?.conclusion.metrics[id];
      const none = undefinedEstimate(unreferenced);
      const noSwap = isUnreferenced ? none : undefinedEstimate("nothing was scored");
      return {
        metric: id,
        strategy,
        leakage,
        answerer,
        localizer,
        exchanged: looking === undefined ? [] : exchangedParts(variant, looking),
        swapFailure: summary?.failureRate ?? noSwap,
        swapTies: summary?.tieRate ?? noSwap,
        n: summary?.n ?? 0,
        spearman: correlated?.spearman ?? none,
        kendallTauB: correlated?.kendallTauB ?? none,
      };
    });
