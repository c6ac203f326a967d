import type { AlsoEstimates } from "../../analysis/correlation/also.js";
import { type AlsoMeasure, alsoMeasures } from "../../analysis/correlation/also-measures.js";
import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import type { CorrelationMetric } from "../../analysis/correlation/correlation-metric.js";
import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { unitsText as clustersText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import { listText } from "../../core/list-text.js";
import type { Estimate } from "../../stats/estimate.js";
import { numberColumns } from "../../views/number-columns.js";
import { countText, estimateText, percentText, pluralText } from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";
import { withinTable } from "./within-groups-text.js";

/** A correlation conclusion as people read it: the metric that follows people best comes first. */
export function readableCorrelation(
  conclusion: ShownCorrelation,
  verdict: string,
): ReadableConclusion {
  const { grouped } = conclusion;
  const metrics = rankedMetrics(conclusion);
  const undefinedOnes = metrics.flatMap(({ name, kendallTauB: { value, reason } }) =>
    value === null ? [`${name}: no correlation, since ${reason}`] : [],
  );
  return {
    verdict,
    tables: [
      ...(grouped === undefined ? [] : [withinTable(conclusion, grouped)]),
      orderTable(conclusion, metrics),
      ...(metrics.some(({ tieCalibration }) => tieCalibration)
        ? [tieTable(conclusion, metrics)]
        : []),
      coefficientTable(conclusion, metrics),
      ...alsoTables(conclusion, metrics),
      ...williamsTables(conclusion),
    ],
    warnings: [...conclusion.warnings, ...undefinedOnes],
    method:
      `Brackets hold intervals: ${conclusion.intervals.text}` +
      (grouped === undefined ? "." : `; of averages over groups ${grouped.intervals.text}.`),
  };
}

/** Over rows, or over groups of rows. */
export type ShownCorrelation = CorrelationConclusion & {
  readonly groups?: number;
  readonly seeds?: number;
};

type Named = CorrelationMetric & { readonly name: string };

/** By Kendall's tau-b, the highest first; undefined ones last. */
function rankedMetrics({ metrics }: CorrelationConclusion): Named[] {
  const rank = ({ kendallTauB: { value } }: CorrelationMetric) => value ?? -2;
  return Object.entries(metrics)
    .map(([name, metric]) => ({ name, ...metric }))
    .sort((a, b) => rank(b) - rank(a));
}

/**
 * Which metric follows people best by Kendall's tau-b, and which others these rows can't tell apart
 * from it. `differenceOf` gives the tau-b of one metric minus that of another on the rows that both
 * scored.
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
      : `These rows can't tell whether ${best.name} follows ${conclusion.human}: ${numbers}.${tooFew}`;
  }
  const opening = sure
    ? `${best.name} follows ${conclusion.human} best: ${numbers}`
    : `No metric surely follows ${conclusion.human}; ${best.name} comes nearest: ${numbers}`;
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
    return `${opening}; these rows can't tell it apart from ${listText(names)}.${tooFew}`;
  }
  return `${opening}; better than ${next.name}, the runner-up (${shortTau(next.kendallTauB)}).`;
}

/** Why nothing is claimed of so few, whatever the interval. */
function tooFewText({ intervals: { clusters, clusteredBy } }: ShownCorrelation, n: number): string {
  const [count, unit] = n < clusters ? [n, "row" as const] : [clusters, clusteredBy];
  return ` ${clustersText(count, unit)} ${count === 1 ? "is" : "are"} too few to claim more: it takes ${fewestToTell}.`;
}

const unitsText = ({ groups }: ShownCorrelation, n: number) =>
  groups === undefined
    ? pluralText(n, "row")
    : `${pluralText(groups, "group")} of ${pluralText(n, "row")}`;

const unitOf = ({ groups }: ShownCorrelation) => (groups === undefined ? "rows" : "groups");

const shortTau = ({ value }: Estimate) => estimateText({ value, low: null, high: null });

function orderTable(conclusion: ShownCorrelation, metrics: readonly Named[]): TextTable {
  const { human, groups, seeds } = conclusion;
  return {
    title: `How far metrics put ${unitOf(conclusion)} in people's order`,
    columns: columnsOf(["n", "unscored", "Kendall's tau-b", "pairs in people's order, %"]),
    rows: metrics.map((metric, at) => [
      at === 0 ? `against ${human}` : "",
      metric.name,
      countText(metric.n),
      countText(metric.unscored),
      estimateText(metric.kendallTauB),
      percentText(metric.pairwiseAccuracy),
    ]),
    note:
      `Pairs of ${unitOf(conclusion)} that people tie are left out, pairs that only the metric ties ` +
      "count half; tossing a coin gives 50 %." +
      (groups === undefined
        ? ""
        : ` Rows were dealt into ${groups} groups, ${seeds} times, and values averaged; they move with the dealing, less with more --seeds.`),
  };
}

function tieTable({ human }: CorrelationConclusion, metrics: readonly Named[]): TextTable {
  return {
    title: "Pairs as people have them, ties included",
    isHeadline: true,
    columns: columnsOf(["equal scores tie, %", "epsilon", "calibrated, %", "held out, %"]),
    rows: metrics.map(({ name, tieCalibration }, at) => {
      const share = (value: number | null) => percentText({ value, low: null, high: null });
      const { accuracy, epsilon, calibrated, heldOut } = tieCalibration ?? notCalibrated;
      return [
        at === 0 ? `against ${human}` : "",
        name,
        percentText(accuracy),
        estimateText({ value: epsilon, low: null, high: null }),
        percentText(calibrated),
        share(heldOut),
      ];
    }),
    note:
      "A pair is right where both prefer the same row or both tie; scores that differ by no more than " +
      "epsilon, in the metric's units, tie. Calibrated: with the epsilon that is best for these rows, " +
      "which is optimistic; held out: with the best of the other half of the prompts. Intervals: delta " +
      "method. –: undefined, --json says why.",
  };
}

const nothing = { value: null, low: null, high: null };
const notCalibrated = { accuracy: nothing, epsilon: null, calibrated: nothing, heldOut: null };

function coefficientTable({ human }: CorrelationConclusion, metrics: readonly Named[]): TextTable {
  return {
    title: "Other coefficients",
    columns: columnsOf(["Spearman", "Pearson", "Kendall's tau-c"]),
    rows: metrics.map((metric, at) => [
      at === 0 ? `against ${human}` : "",
      metric.name,
      estimateText(metric.spearman),
      estimateText(metric.pearson),
      estimateText(metric.kendallTauC),
    ]),
    note:
      "Spearman is Pearson's of average ranks. –: undefined, --json says why; p-values, which take " +
      "rows for independent, are there, too.",
  };
}

const alsoTitles: Readonly<Record<AlsoMeasure, string>> = {
  iccAbsolute: "ICC(A,1)",
  iccConsistency: "ICC(C,1)",
  plcc: "PLCC, logistic",
  partialPearson: "partial Pearson",
  partialSpearman: "partial Spearman",
};

/** A table of what was asked for beside the usual coefficients, and one of the same within groups. */
function alsoTables(conclusion: CorrelationConclusion, metrics: readonly Named[]): TextTable[] {
  const { human, given } = conclusion;
  const shown = alsoMeasures.filter((one) => metrics.some((metric) => metric[one] !== undefined));
  const constant = given === undefined ? "" : ` Partial: with ${listText(given)} held constant.`;
  const table = (title: string, of: (metric: Named) => AlsoEstimates): TextTable => ({
    title,
    isHeadline: true,
    columns: columnsOf(shown.map((one) => alsoTitles[one])),
    rows: metrics.map((metric, at) => [
      at === 0 ? `against ${human}` : "",
      metric.name,
      ...shown.map((one) => estimateText(of(metric)[one] ?? nothing)),
    ]),
    note:
      "ICC: of one score and one rating in one unit, absolute agreement (A) and consistency (C). PLCC: after " +
      `a four-parameter logistic fit (VQEG), which the interval takes for known.${constant}`,
  });
  if (shown.length === 0) return [];
  const within = metrics.some(({ grouped }) => grouped !== undefined);
  return [
    table("Also asked for", (metric) => metric),
    ...(within ? [table("The same within groups, averaged", ({ grouped = {} }) => grouped)] : []),
  ];
}

function williamsTables({ williams, human }: CorrelationConclusion): TextTable[] {
  if (williams === undefined) return [];
  const value = (number: number | null) => estimateText({ value: number, low: null, high: null });
  return [
    {
      title: "Williams' test of Pearson's correlations",
      isHeadline: true,
      columns: [
        { title: "ratings" },
        { title: "metric" },
        { title: "against" },
        ...numberColumns("n", "difference", "t", "adjusted p"),
      ],
      rows: williams.map(({ a, b, n, difference, t, pAdjusted }, at) => [
        at === 0 ? human : "",
        a,
        b,
        countText(n),
        value(difference),
        value(t),
        value(pAdjusted),
      ]),
      note: "Two-sided, adjusted by Holm; rows count as independent, so rows of one prompt overstate it.",
    },
  ];
}

const columnsOf = (titles: readonly string[]): TextTable["columns"] => [
  { title: "ratings" },
  { title: "metric" },
  ...numberColumns(...titles),
];
