import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { modelsOf } from "../../core/metric.js";
import { withoutRevision } from "../../core/models.js";
import type { LocalizationStrategy } from "../../images/localize.js";
import { parseConvention } from "../../metrics/localized-convention.js";

export const localizedName = "localized-vqa-score";

/** A metric that looks at entities one by one, taken apart. */
export interface LocalizedMetric {
  readonly metric: EvaluatedMetric;
  /** Only F1 is compared; precision and recall are read from its details. */
  readonly target: "f1" | "other";
  readonly strategy: LocalizationStrategy;
  readonly leakage: string;
  readonly answerer: string;
  readonly localizer: string;
}

export const localizedMetrics = (metrics: readonly EvaluatedMetric[]): LocalizedMetric[] =>
  metrics.flatMap((metric) => {
    if (metric.metric !== localizedName) return [];
    const { target, strategy, leakage } = conventionOf(metric);
    const [answerer = "", finder] = modelsOf(metric).models.map(({ model }) =>
      withoutRevision(model),
    );
    // One model may do both; on the whole image nobody need find anything.
    const localizer = finder ?? (strategy === "none" ? "" : answerer);
    return [
      { metric, target: target === "f1" ? "f1" : "other", strategy, leakage, answerer, localizer },
    ];
  });

/**
 * The metrics as a report of them speaks: without who takes texts apart, since in the benchmark the
 * structure comes along with every text.
 */
export const spokenMetrics = (metrics: readonly EvaluatedMetric[]): EvaluatedMetric[] =>
  metrics.map((metric) => ({ ...metric, model: metric.model.replace(/ \/ .*$/, "") }));

/** Reads a localised metric's convention; a threshold of its own stands behind it. */
export function conventionOf({ convention }: { readonly convention?: string | undefined }) {
  const words = (convention ?? "f1").split(":").filter((word) => !/^[\d.]+$/.test(word));
  return parseConvention(words.join(":"));
}

/** Parts of L-VQAScore that its paper's ablations exchange, and whose leakage questions it asks. */
export interface ExchangedPart {
  readonly part: "strategy" | "answerer" | "localiser" | "leakage questions";
  readonly value: string;
}

/** Lists the parts in which one way of localising differs from another, and what it has there. */
export function exchangedParts(one: LocalizedMetric, base: LocalizedMetric): ExchangedPart[] {
  const parts = (of: LocalizedMetric): ExchangedPart[] => [
    { part: "strategy", value: of.strategy },
    { part: "leakage questions", value: `as in the ${of.leakage}` },
    { part: "answerer", value: of.answerer },
    { part: "localiser", value: of.localizer },
  ];
  const asBase = parts(base);
  return parts(one).filter(
    ({ part, value }, at) =>
      value !== asBase[at]?.value && !(part === "localiser" && one.strategy === "none"),
  );
}

/**
 * Returns the headline metrics: all but the ways of localising that are not the
 * published one, unless the run has no other; and with every answerer the first localiser alone. What
 * is left out is compared among the ablations.
 */
export function standingFor(
  metrics: readonly EvaluatedMetric[],
  localized: readonly LocalizedMetric[],
): EvaluatedMetric[] {
  const isPublished = ({ target, strategy, leakage }: LocalizedMetric) =>
    target === "f1" && strategy === "blurring+cropping" && leakage === "paper";
  const published = localized
    .filter(isPublished)
    .filter(
      ({ answerer }, at, all) => all.findIndex((other) => other.answerer === answerer) === at,
    );
  const chosen = (published.length > 0 ? published : localized.slice(0, 1)).map(
    ({ metric }) => metric,
  );
  return metrics.filter((one) => one.metric !== localizedName || chosen.includes(one));
}
