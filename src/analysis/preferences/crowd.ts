import { InputError } from "../../core/errors.js";
import { textAt } from "../../core/text-column.js";
import type { TieModel } from "../../stats/bradley-terry.js";
import { type IntervalOptions, isByInfluence } from "../inference/intervals.js";
import { annotatorReliabilities, type CrowdBradleyTerry } from "./crowd-bradley-terry.js";
import type { Compared, PreferenceClusters, PreferenceTable } from "./preference-cells.js";

/** Fewer by default: each resample fits reliabilities as well. */
export const crowdIntervals = (options: IntervalOptions): IntervalOptions => ({
  interval: "percentile",
  ...options,
  resamples: options.resamples ?? 500,
});

/** @throws InputError where reliabilities can't be found, or not with what else was wanted. */
export function checkCrowd(
  { annotator }: PreferenceTable,
  {
    clusters: { clusteredBy, ways },
    tieModel,
    interval,
  }: {
    readonly clusters: PreferenceClusters;
    readonly tieModel: TieModel;
    readonly interval: IntervalOptions["interval"];
  },
): void {
  if (
    clusteredBy !== "annotator" ||
    ways !== undefined ||
    annotator.codes.some((code) => code < 0)
  ) {
    throw new InputError(
      "Expected two annotators or more, named in every row and taken together for intervals, for --raters crowd-bt",
      { hint: "The column annotator names them; --map annotator=my_column renames one." },
    );
  }
  if (tieModel !== "half" || (interval !== undefined && isByInfluence(interval))) {
    throw new InputError("Expected ties as halves and resampled intervals for --raters crowd-bt", {
      hint: "Leave out --ties davidson, and --interval delta or t.",
    });
  }
}

/** Each annotator's comparisons and reliability, by name. */
export function reliabilityByName(
  { annotator }: PreferenceTable,
  {
    answered,
    clusters,
    compared,
    crowd,
  }: {
    readonly answered: Int32Array;
    readonly clusters: PreferenceClusters;
    readonly compared: Compared;
    readonly crowd: CrowdBradleyTerry;
  },
) {
  const found = annotatorReliabilities(compared, crowd);
  const names = new Map<number, string>();
  for (const [at, row] of answered.entries()) {
    names.set(clusters.cluster[at] ?? 0, textAt(annotator, row) ?? "");
  }
  return Object.fromEntries(
    [...names].flatMap(([cluster, name]) => {
      const one = found[cluster];
      return one === undefined ? [] : [[name, one] as const];
    }),
  );
}

/** From fewer comparisons an annotator's reliability is hardly known. */
const fewestCompared = 20;

/** Warns where annotators compared too little for their reliability to be known. */
export function hardlyKnown({ cells }: Compared, annotators: number): string[] {
  const n = new Float64Array(annotators);
  for (const [cell, who] of cells.cluster.entries()) {
    n[who] = (n[who] ?? 0) + (cells.count[cell] ?? 0);
  }
  const few = n.filter((count) => count < fewestCompared).length;
  return few === 0
    ? []
    : [
        `${few} of ${annotators} annotators made fewer than ${fewestCompared} comparisons: their reliability is hardly known`,
      ];
}
