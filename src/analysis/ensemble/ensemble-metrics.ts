import { randomFrom } from "../../core/random.js";
import { picked, placesWith } from "../../core/row-codes.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type CalibrationStatistic,
  calibrationMeasured,
  calibrationStatistics,
} from "../calibration/calibration-measures.js";
import { type IntervalMethod, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import type { EnsemblePart } from "./ensemble-rows.js";

const bins = { binning: "equal-width", count: 10 } as const;

/**
 * All statistics of a method's predictions with intervals that draw whole units. Of several columns
 * (one prompt at random) each statistic is the mean over the columns, and so it is in each resample.
 *
 * @param predictions one or more columns of P(label is 1); NaN for no answer.
 */
export function ensembleMetrics(
  { labels, units }: Pick<EnsemblePart, "labels" | "units">,
  predictions: readonly Float64Array[],
  method: IntervalMethod,
): Record<CalibrationStatistic, Estimate> {
  const columns = predictions.map((column) => {
    const rows = placesWith(column.length, [column]);
    return {
      rows,
      weights: new Float64Array(rows.length),
      measured: calibrationMeasured(picked(labels, rows), picked(column, rows), bins),
    };
  });
  const valuesOf = (weights?: Float64Array): number[] => {
    const sums = new Array<number>(calibrationStatistics.length).fill(0);
    for (const column of columns) {
      if (weights !== undefined) {
        column.rows.forEach((row, at) => {
          column.weights[at] = weights[row] ?? 0;
        });
      }
      const values = column.measured(weights === undefined ? undefined : column.weights);
      values.forEach((value, at) => {
        sums[at] = (sums[at] ?? 0) + value / columns.length;
      });
    }
    return sums;
  };
  const clusters = units.names.length;
  const values = valuesOf();
  const samples = weightedSamples(valuesOf, {
    method,
    count: values.length,
    clusters,
    cluster: units.codes,
    // The same draws for every method.
    random: randomFrom(method.seed ?? 0, "ensemble bootstrap"),
  });
  const members = calibrationStatistics.map((name, at) => {
    const value = values[at] ?? Number.NaN;
    return [
      name,
      estimateOf(value, clusters < 2 ? undefined : sampledInterval(value, samples, at), method),
    ] as const;
  });
  // Made from the list of all of them.
  return Object.fromEntries(members) as Record<CalibrationStatistic, Estimate>;
}

function estimateOf(
  value: number,
  interval: ReturnType<typeof sampledInterval> | undefined,
  { clusteredBy }: IntervalMethod,
): Estimate {
  if (Number.isNaN(value)) {
    return undefinedEstimate("it is 0 / 0: all labels, or all answers of a prompt, are the same");
  }
  return withInterval(value, interval, { whenNone: `no interval from one ${clusteredBy}` });
}
