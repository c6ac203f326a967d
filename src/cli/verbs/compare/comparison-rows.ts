import type { ComparisonConclusion } from "../../../analysis/comparison/comparison.js";
import { type CsvRow, noEstimate } from "../../conclusions/flat-table.js";

/** Cells of an empty row. */
const nothing = {
  by: "",
  model: "",
  against: null,
  n: null,
  unscored: null,
  mean: noEstimate,
  difference: noEstimate,
  winRate: noEstimate,
  p: null,
  pAdjusted: null,
  cohensDz: null,
} satisfies CsvRow;

const counted = (value: number | null) => ({ ...noEstimate, value });

/**
 * A row for each model and pair: by the metric and, where there are labels, by the labels counted and
 * by people as they are estimated for all prompts.
 */
export function comparisonRows({ models, pairs, humanCorrected }: ComparisonConclusion): CsvRow[] {
  const people = {
    models: Object.entries(humanCorrected?.models ?? {}),
    pairs: humanCorrected?.pairs ?? [],
  };
  return [
    ...Object.entries(models).map(([model, { n, unscored, mean }]) => ({
      ...nothing,
      by: "metric",
      model,
      n,
      unscored,
      mean,
    })),
    ...pairs.map(({ a, b, n, difference, winRate, p, pAdjusted, cohensDz }) => ({
      ...nothing,
      by: "metric",
      model: a,
      against: b,
      n,
      difference,
      winRate,
      p,
      pAdjusted,
      cohensDz,
    })),
    ...people.models.map(([model, { n, counted: mean }]) => ({
      ...nothing,
      by: "labels",
      model,
      n,
      mean: counted(mean),
    })),
    ...people.pairs.map(({ a, b, n, counted: { difference, winRate } }) => ({
      ...nothing,
      by: "labels",
      model: a,
      against: b,
      n,
      difference: counted(difference),
      winRate: counted(winRate),
    })),
    ...people.models.map(([model, { n, mean }]) => ({ ...nothing, by: "people", model, n, mean })),
    ...people.pairs.map(({ a, b, n, difference, winRate }) => ({
      ...nothing,
      by: "people",
      model: a,
      against: b,
      n,
      difference,
      winRate,
    })),
  ];
}
