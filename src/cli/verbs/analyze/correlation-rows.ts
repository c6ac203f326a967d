import { alsoMeasures } from "../../../analysis/correlation/also-measures.js";
import type { CorrelationConclusion } from "../../../analysis/correlation/correlation.js";
import type { CorrelationMetric } from "../../../analysis/correlation/correlation-metric.js";
import { type CsvRow, noEstimate } from "../../conclusions/flat-table.js";

/** A row for each metric. */
export function correlationRows({ human, metrics }: CorrelationConclusion): CsvRow[] {
  const all = Object.values(metrics);
  const isCalibrated = all.some(({ tieCalibration }) => tieCalibration);
  const isGrouped = all.some(({ grouped }) => grouped);
  return Object.entries(metrics).map(([metric, summary]) => ({
    metric,
    human,
    n: summary.n,
    unscored: summary.unscored,
    spearman: summary.spearman,
    kendallTauB: summary.kendallTauB,
    pearson: summary.pearson,
    pairwiseAccuracy: summary.pairwiseAccuracy,
    kendallTauC: summary.kendallTauC,
    spearmanP: summary.p.spearman,
    kendallTauBP: summary.p.kendallTauB,
    pearsonP: summary.p.pearson,
    ...(isCalibrated ? tieCells(summary) : {}),
    ...(isGrouped ? groupedCells(summary) : {}),
    ...alsoCells(summary),
  }));
}

const tieCells = ({ tieCalibration }: CorrelationMetric) => ({
  tieAccuracy: tieCalibration?.accuracy.value ?? null,
  tieEpsilon: tieCalibration?.epsilon ?? null,
  tieCalibrated: tieCalibration?.calibrated.value ?? null,
  tieHeldOut: tieCalibration?.heldOut ?? null,
});

const groupedCells = ({ grouped }: CorrelationMetric) => ({
  groups: grouped?.groups ?? null,
  undefined: grouped?.undefined ?? null,
  average: grouped?.average ?? null,
  groupedSpearman: grouped?.spearman ?? noEstimate,
  groupedKendallTauB: grouped?.kendallTauB ?? noEstimate,
  groupedPearson: grouped?.pearson ?? noEstimate,
  groupedKendallTauC: grouped?.kendallTauC ?? noEstimate,
});

/** Those that were asked for, which all metrics have, and within groups. */
const alsoCells = ({ grouped, ...summary }: CorrelationMetric) =>
  Object.fromEntries(
    alsoMeasures.flatMap((measure) => {
      const [pooled, within] = [summary[measure], grouped?.[measure]];
      const named = `grouped${measure.charAt(0).toUpperCase()}${measure.slice(1)}`;
      return [
        ...(pooled === undefined ? [] : [[measure, pooled]]),
        ...(within === undefined ? [] : [[named, within]]),
      ];
    }),
  );
