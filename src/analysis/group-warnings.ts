import type { Estimate } from "../stats/estimate.js";
import type { CorrelationMetric } from "./correlation.js";
import { fewClusters } from "./few-clusters.js";
import { type MetricWarning, metricWarnings } from "./metric-warnings.js";
import { type GroupedMethod, type GroupMeasure, groupMeasures } from "./within-groups.js";

const namesOf: Readonly<Record<GroupMeasure, string>> = {
  spearman: "Spearman",
  kendallTauB: "Kendall's tau-b",
  pearson: "Pearson",
};

/** What a reader must know before believing averages over groups, a sentence each. */
export function groupWarnings(
  metrics: readonly Named[],
  { undefinedGroups, intervals }: GroupedMethod,
): string[] {
  return [
    ...metricWarnings(metrics.flatMap(unlikePooled)),
    ...metricWarnings(
      metrics.flatMap((metric) => [
        ...withoutCoefficient(metric, undefinedGroups),
        ...clipped(metric),
      ]),
    ),
    ...fewClusters(intervals),
  ];
}

type Named = CorrelationMetric & { readonly metric: string };

/** Where what lies between groups makes the pooled figure, or hides what is within them. */
function unlikePooled({ metric, grouped, ...pooled }: Named): MetricWarning[] {
  const unlike = groupMeasures.flatMap((measure) => {
    const within = grouped?.[measure];
    if (within === undefined || !isUnlike(pooled[measure], within)) return [];
    return [`${namesOf[measure]} ${text(pooled[measure])} and ${text(within)}`];
  });
  return unlike.length === 0
    ? []
    : [
        {
          metric,
          text:
            `pooled and within-group figures disagree (${unlike.join(", ")}): groups differ in level, ` +
            "so the pooled figure is not what holds within a group",
        },
      ];
}

/** Whether they differ in sign, or their intervals don't meet. */
function isUnlike(one: Estimate, other: Estimate): boolean {
  if (one.value === null || other.value === null) return false;
  const isApart = (low: number, high: number) => low - high > noise;
  if (
    isApart(0, Math.min(one.value, other.value)) &&
    isApart(Math.max(one.value, other.value), 0)
  ) {
    return true;
  }
  if (one.low === null || one.high === null || other.low === null || other.high === null) {
    return false;
  }
  return isApart(one.low, other.high) || isApart(other.low, one.high);
}

/** What rounding and the clipping for Fisher's z make of equal coefficients. */
const noise = 1e-5;

const text = ({ value }: Estimate) => (value ?? 0).toFixed(3).replace("-", "−");

function withoutCoefficient(
  { metric, grouped }: Named,
  rule: GroupedMethod["undefinedGroups"],
): MetricWarning[] {
  if (grouped === undefined || grouped.undefined === 0) return [];
  const all = grouped.groups + grouped.undefined;
  const unscored = Object.values(grouped.each).filter(({ n }) => n === 0).length;
  const zeros = rule === "zero" ? grouped.undefined - unscored : 0;
  const one = grouped.undefined === 1;
  const counted =
    zeros === 0
      ? `${one ? "is" : "are"} left out`
      : zeros === grouped.undefined
        ? `${one ? "counts" : "count"} 0`
        : `count 0, but for ${unscored} without any score, left out`;
  return [
    {
      metric,
      text:
        `${grouped.undefined} of ${all} groups ${one ? "has" : "have"} no coefficient (one row, or all ` +
        `rated or scored the same) and ${counted}`,
    },
  ];
}

function clipped({ metric, grouped }: Named): MetricWarning[] {
  const most = Math.max(0, ...Object.values(grouped?.clipped ?? {}));
  if (grouped === undefined || most === 0) return [];
  return [
    {
      metric,
      text:
        `${most} of ${grouped.groups} groups ${most === 1 ? "has" : "have"} a coefficient of 1 or -1, ` +
        "clipped to 0.999999 for Fisher's z, and outweigh the others; the plain mean does not do so",
    },
  ];
}
