import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import type { GroupedMethod, WithinGroups } from "../../analysis/correlation/grouping.js";
import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import { listText } from "../../core/list-text.js";
import type { Estimate } from "../../stats/estimate.js";
import { numberColumns } from "../../views/number-columns.js";
import { countText, estimateText, pluralText } from "../../views/number-text.js";
import type { TextTable } from "../../views/text-table.js";

type Named = WithinGroups & { readonly name: string };

/** Metrics with their averages over groups, by Kendall's tau-b, the highest first. */
export function rankedWithin({ metrics }: CorrelationConclusion): Named[] {
  const rank = ({ kendallTauB: { value } }: WithinGroups) => value ?? -2;
  return Object.entries(metrics)
    .flatMap(([name, { grouped }]) => (grouped === undefined ? [] : [{ name, ...grouped }]))
    .sort((a, b) => rank(b) - rank(a));
}

/**
 * Which metric follows people best within groups, by the average of Kendall's tau-b, and which others
 * these groups can't tell apart from it. `differenceOf` gives the average of one metric minus that of
 * another.
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
  const named = ({ name, kendallTauB }: Named) =>
    `${name} (${estimateText({ ...kendallTauB, low: null, high: null })})`;
  const [next] = rest;
  if (alike.length === 0 && next !== undefined) return `${opening} ${named(next)} comes next.`;
  const shown = alike.slice(0, 3).map(named);
  const more = alike.length - shown.length;
  return `${opening} Not significantly ahead of ${listText(more === 0 ? shown : [...shown, `${countText(more)} more`])}.`;
}

/** Averages over groups, a row for each metric. */
export function withinTable(
  conclusion: CorrelationConclusion,
  { average, weight, undefinedGroups, groups }: GroupedMethod,
): TextTable {
  return {
    title: `Within ${pluralText(groups, "group")}, averaged`,
    isHeadline: true,
    columns: [
      { title: "ratings" },
      { title: "metric" },
      ...numberColumns("groups", "Kendall's tau-b", "Spearman", "Pearson"),
    ],
    rows: rankedWithin(conclusion).map((metric, at) => [
      at === 0 ? `against ${conclusion.human}` : "",
      metric.name,
      `${countText(metric.groups)} of ${countText(metric.groups + metric.undefined)}`,
      estimateText(metric.kendallTauB),
      estimateText(metric.spearman),
      estimateText(metric.pearson),
    ]),
    note:
      `${average === "fisher" ? "Averaged in Fisher's z" : "Plain means of coefficients"}, ` +
      `${weight === "n" ? "groups weighted by their rows" : "each group counting once"}; groups ` +
      `without a coefficient ${undefinedGroups === "zero" ? "count 0" : "are left out"}. The other ` +
      "tables pool all rows.",
  };
}
