import type {
  CorrelationConclusion,
  CorrelationMetric,
} from "../../../analysis/correlation/correlation.js";
import { measures } from "../../../analysis/correlation/correlation-measures.js";
import { type GroupMeasure, groupMeasures } from "../../../analysis/correlation/within-groups.js";
import { csvLine } from "../../../files/csv-text.js";

/** A row for each metric; unrounded. */
export function correlationCsv({ human, metrics }: CorrelationConclusion): string {
  const tested = ["spearman", "kendallTauB", "pearson"] as const;
  const isGrouped = Object.values(metrics).some(({ grouped }) => grouped);
  const isCalibrated = Object.values(metrics).some(({ tieCalibration }) => tieCalibration);
  const header = [
    ...["metric", "human", "n", "unscored"],
    ...measures.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...tested.map((name) => `${name}P`),
    ...(isCalibrated ? ["tieAccuracy", "tieEpsilon", "tieCalibrated", "tieHeldOut"] : []),
    ...(isGrouped
      ? ["groups", "undefined", "average", ...groupMeasures.flatMap(groupedTitles)]
      : []),
  ];
  const lines = Object.entries(metrics).map(([metric, summary]) =>
    csvLine([
      ...[metric, human, summary.n, summary.unscored],
      ...measures.flatMap((name) => {
        const { value, low, high } = summary[name];
        return [value, low, high];
      }),
      ...tested.map((name) => summary.p[name]),
      ...(isCalibrated ? tieCells(summary) : []),
      ...(isGrouped ? groupedCells(summary) : []),
    ]),
  );
  return [csvLine(header), ...lines].join("");
}

function groupedTitles(measure: GroupMeasure): string[] {
  const name = `grouped${measure[0]?.toUpperCase()}${measure.slice(1)}`;
  return [name, `${name}Low`, `${name}High`];
}

const groupedCells = ({ grouped }: CorrelationMetric) => [
  ...[grouped?.groups ?? null, grouped?.undefined ?? null, grouped?.average ?? null],
  ...groupMeasures.flatMap((measure) => {
    const { value = null, low = null, high = null } = grouped?.[measure] ?? {};
    return [value, low, high];
  }),
];

const tieCells = ({ tieCalibration }: CorrelationMetric) => [
  tieCalibration?.accuracy.value ?? null,
  tieCalibration?.epsilon ?? null,
  tieCalibration?.calibrated.value ?? null,
  tieCalibration?.heldOut ?? null,
];
