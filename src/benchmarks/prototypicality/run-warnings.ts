import { spokenName } from "../../analysis/inference/metric-name.js";
import { contrastive } from "../../analysis/pairs/contrastive.js";
import { unmatchedWarnings } from "../../analysis/pairs/prototypicality-effect.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric, TripletRow } from "../../analysis/pairs/triplets.js";

/** Caveats of a run, with metrics as the tables name them. */
export function reportWarnings(
  metrics: readonly EvaluatedMetric[],
  rows: readonly TripletRow[],
  { tieTolerance }: TieOptions = {},
): string[] {
  const names = new Map(metrics.map(({ id }) => [id, spokenName({ metrics }, id)]));
  const named = rows.map((row) => ({ ...row, metric: names.get(row.metric) ?? row.metric }));
  return [
    // What these warn of follows from counts, whatever the number of resamples.
    ...contrastive(
      named.filter(({ comparison }) => comparison === "contrastive"),
      { resamples: 1, tieTolerance },
    ).warnings,
    ...unmatchedWarnings(named),
  ];
}
