import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import type { CorrelationMetric } from "../../analysis/correlation/correlation-metric.js";
import type { WithinGroups } from "../../analysis/correlation/grouping.js";
import type { MetricDifference } from "../../analysis/correlation/metric-differences.js";
import type { RatersCeiling } from "../../analysis/correlation/raters-ceiling.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { unitsText as clustersText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import { listText } from "../../core/phrases.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import { countText, estimateText, pluralText, probabilityText } from "../../views/number-text.js";

/** A correlation over rows, or over groups of rows. */
export type ShownCorrelation = CorrelationConclusion & {
  readonly groups?: number;
  readonly seeds?: number;
  readonly differences?: readonly MetricDifference[];
  readonly ceiling?: RatersCeiling;
};

export type NamedMetric = CorrelationMetric & { readonly name: string };

/** Metrics by Kendall's tau-b, the highest first; undefined ones last. */
export function rankedMetrics({ metrics }: CorrelationConclusion): NamedMetric[] {
  const rank = ({ kendallTauB: { value } }: CorrelationMetric) => value ?? -2;
  return Object.entries(metrics)
    .map(([name, metric]) => ({ name, ...metric }))
    .sort((a, b) => rank(b) - rank(a));
}

/**
 * Says which metric follows people best by Kendall's tau-b, and which others are indistinguishable from it.
 *
 * @param differenceOf returns the tau-b of one metric minus that of another, on the rows that both scored.
 */
export function correlationVerdict(
  conclusion: ShownCorrelation,
  differenceOf: (metric: string, than: string) => Estimate,
): string {
  const [best, ...rest] = rankedMetrics(conclusion).filter(
    ({ kendallTauB }) => kendallTauB.value !== null,
  );
  if (best === undefined) {
    return `Nothing can be concluded: no metric has a correlation with ${conclusion.human}.`;
  }
  const { kendallTauB: tau, n } = best;
  const numbers = `Kendall's tau-b ${estimateText(tau)} over ${unitsText(conclusion, n)}`;
  const isEnough = Math.min(n, conclusion.intervals.clusters) >= fewestToTell;
  const sure = isEnough && whichSide(tau) === "above";
  const tooFew = isEnough ? "" : tooFewText(conclusion, n);
  if (rest.length === 0) {
    if (sure) return `${best.name} follows ${conclusion.human}: ${numbers}.`;
    return isEnough && whichSide(tau) === "below"
      ? `${best.name} runs against ${conclusion.human}: ${numbers}.`
      : `Whether ${best.name} follows ${conclusion.human} is inconclusive: ${numbers}.${tooFew}`;
  }
  const opening = sure
    ? `${best.name} follows ${conclusion.human} best: ${numbers}`
    : `No metric significantly follows ${conclusion.human}; ${best.name} comes nearest: ${numbers}`;
  const alike = rest.filter(
    ({ name }) => !(isEnough && whichSide(differenceOf(best.name, name)) === "above"),
  );
  const [next] = rest;
  if (next === undefined) return `${opening}.`;
  if (alike.length > 0) {
    const names = alike
      .slice(0, 2)
      .map(({ name, kendallTauB }) => `${name} (${shortTau(kendallTauB)})`);
    if (alike.length > 2) names.push(`${countText(alike.length - 2)} more`);
    return `${opening}; indistinguishable from ${listText(names)}.${tooFew}`;
  }
  // One interval a sentence: here that of what was asked, by how much.
  return (
    `${best.name} follows ${conclusion.human} best: Kendall's tau-b ${shortTau(tau)} over ${unitsText(conclusion, n)}; ` +
    `better than ${next.name}, the runner-up (${shortTau(next.kendallTauB)}), by ` +
    `${estimateText(differenceOf(best.name, next.name))}.`
  );
}

/** Says that there are too few rows or clusters for a claim, whatever the interval. */
function tooFewText({ intervals: { clusters, clusteredBy } }: ShownCorrelation, n: number): string {
  const [count, unit] = n < clusters ? [n, "row" as const] : [clusters, clusteredBy];
  return ` ${clustersText(count, unit)} ${count === 1 ? "is" : "are"} too few to claim more: it takes ${fewestToTell}.`;
}

/** How far the best metric is ahead where the verdict can't say so, and how far one rater gets, a sentence each. */
export function correlationFindings(found: ShownCorrelation): string[] {
  const [best, next] = rankedMetrics(found);
  const difference = found.differences?.find(
    ({ a, b }) => [a, b].includes(best?.name ?? "") && [a, b].includes(next?.name ?? ""),
  );
  if (best === undefined || next === undefined || difference === undefined) {
    return ceilingSentence(found);
  }
  const { a, kendallTauB, n, pAdjusted } = difference;
  const ahead = a === best.name ? kendallTauB : mirrored(kendallTauB);
  return [
    // Where it is surely ahead the verdict says by how much.
    ...(ahead.value === null || whichSide(ahead) === "above"
      ? []
      : [
          `On the ${pluralText(n, "row")} that every metric scored, the tau-b of ${best.name} is ${estimateText(ahead)} above that of ${next.name}: ` +
            (whichSide(ahead) === "below"
              ? "it is behind there."
              : `no significant lead (adjusted p ${probabilityText(pAdjusted)}).`),
        ]),
    ...ceilingSentence(found),
  ];
}

/** How far one rater follows the others. */
function ceilingSentence({ ceiling }: ShownCorrelation): string[] {
  if (ceiling === undefined || ceiling.value === null) return [];
  return [
    `One rater follows the mean of the others at Kendall's tau-b ${estimateText(ceiling)}, over ` +
      `${pluralText(ceiling.n, "row")} with several ratings: so far gets a metric that is as good as one rater.`,
  ];
}

const unitsText = ({ groups }: ShownCorrelation, n: number) =>
  groups === undefined
    ? pluralText(n, "row")
    : `${pluralText(groups, "group")} of ${pluralText(n, "row")}`;

const shortTau = ({ value }: Estimate) => estimateText({ value, low: null, high: null });

type Within = WithinGroups & { readonly name: string };

/** Metrics with their averages over groups, by the average of Kendall's tau-b, the highest first. */
export function rankedWithin({ metrics }: CorrelationConclusion): Within[] {
  const rank = ({ kendallTauB: { value } }: WithinGroups) => value ?? -2;
  return Object.entries(metrics)
    .flatMap(([name, { grouped }]) => (grouped === undefined ? [] : [{ name, ...grouped }]))
    .sort((a, b) => rank(b) - rank(a));
}

/**
 * Says which metric follows people best within groups, by the average of Kendall's tau-b, and which others
 * are not significantly behind.
 *
 * @param differenceOf returns the average of one metric minus that of another.
 */
export function withinVerdict(
  conclusion: CorrelationConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): string {
  const { human } = conclusion;
  const [best, ...rest] = rankedWithin(conclusion).filter(
    ({ kendallTauB }) => kendallTauB.value !== null,
  );
  if (best === undefined)
    return `Nothing can be concluded: no group has a correlation with ${human}.`;
  const { kendallTauB: tau, groups } = best;
  const numbers = `average Kendall's tau-b ${estimateText(tau)}, ${pluralText(groups, "group")}`;
  const isEnough = groups >= fewestToTell;
  const fewest = isEnough ? "" : ` A claim takes ${fewestToTell} groups.`;
  const isSure = isEnough && whichSide(tau) === "above";
  if (!isSure) {
    return isEnough && whichSide(tau) === "below"
      ? `${best.name} runs against ${human} within groups: ${numbers}.`
      : `Whether ${rest.length === 0 ? best.name : "any metric"} follows ${human} within groups is ` +
          `inconclusive${rest.length === 0 ? "" : `; ${best.name} comes nearest`}: ${numbers}.${fewest}`;
  }
  if (rest.length === 0) return `${best.name} follows ${human} within groups: ${numbers}.`;
  const opening = `${best.name} follows ${human} best within groups: ${numbers}.`;
  const alike = rest.filter(({ name }) => whichSide(differenceOf(best.name, name)) !== "above");
  const named = ({ name, kendallTauB }: Within) =>
    `${name} (${estimateText({ ...kendallTauB, low: null, high: null })})`;
  const [next] = rest;
  if (alike.length === 0 && next !== undefined) return `${opening} ${named(next)} comes next.`;
  const shown = alike.slice(0, 3).map(named);
  const more = alike.length - shown.length;
  return `${opening} Not significantly ahead of ${listText(more === 0 ? shown : [...shown, `${countText(more)} more`])}.`;
}
