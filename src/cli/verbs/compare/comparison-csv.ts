import type { ComparisonConclusion } from "../../../analysis/comparison/comparison.js";
import { csvLine } from "../../../files/csv-text.js";
import type { Estimate } from "../../../stats/estimate.js";

const estimateCells = ({ value, low, high }: Estimate) => [value, low, high];
const nothing = [null, null, null];

const counted = (value: number | null) => [value, null, null];

/**
 * A row for each model and pair, unrounded: by the metric and, where there are labels, by the labels
 * counted and by people as they are estimated for all prompts.
 */
export function comparisonCsv({ models, pairs, humanCorrected }: ComparisonConclusion): string {
  const header = [
    ...["by", "model", "against", "n", "unscored"],
    ...["mean", "difference", "winRate"].flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...["p", "pAdjusted", "cohensDz"],
  ];
  const lines = [
    ...Object.entries(models).map(([model, { n, unscored, mean }]) => [
      ...["metric", model, null, n, unscored, ...estimateCells(mean), ...nothing, ...nothing],
      ...nothing,
    ]),
    ...pairs.map(({ a, b, n, difference, winRate, p, pAdjusted, cohensDz }) => [
      ...["metric", a, b, n, null, ...nothing, ...estimateCells(difference)],
      ...[...estimateCells(winRate), p, pAdjusted, cohensDz],
    ]),
    ...Object.entries(humanCorrected?.models ?? {}).map(([model, { n, counted: mean }]) => [
      ...["labels", model, null, n, null, ...counted(mean), ...nothing, ...nothing],
      ...nothing,
    ]),
    ...(humanCorrected?.pairs ?? []).map(({ a, b, n, counted: { difference, winRate } }) => [
      ...["labels", a, b, n, null, ...nothing, ...counted(difference), ...counted(winRate)],
      ...nothing,
    ]),
    ...Object.entries(humanCorrected?.models ?? {}).map(([model, { n, mean }]) => [
      ...["people", model, null, n, null, ...estimateCells(mean), ...nothing, ...nothing],
      ...nothing,
    ]),
    ...(humanCorrected?.pairs ?? []).map(({ a, b, n, difference, winRate }) => [
      ...["people", a, b, n, null, ...nothing, ...estimateCells(difference)],
      ...[...estimateCells(winRate), ...nothing],
    ]),
  ];
  return [csvLine(header), ...lines.map(csvLine)].join("");
}
