import type { EvaluatedMetric } from "../../../analysis/pairs/triplets.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";

/** One metric of a run with the rows of its card. */
export interface RunCard {
  readonly metric: EvaluatedMetric;
  readonly rows: readonly CardRow[];
  /** Which pairs of images the rows are from. */
  readonly selection: string;
  readonly isFromLab: boolean;
}

/**
 * Reads from a finished run the rows for a card of each of its metrics.
 *
 * @param options.unfiltered all pairs and images, whatever the filter or the reference says of them
 * @throws InputError where nothing was scored, IncompleteError where the filter kept nothing.
 */
export async function readRunCards(
  run: RecordStore,
  name: string,
  { unfiltered = false }: { readonly unfiltered?: boolean } = {},
): Promise<RunCard[]> {
  const cards = await benchmarkOf(run.recipe)?.cards?.(run, { name, unfiltered });
  if (cards === undefined || cards.metrics.length === 0) {
    throw new InputError(`Expected a run with scores of a benchmark but ${name} has none`, {
      hint: "Score its images first: touchstone score RUN --metric …, or: touchstone demo",
    });
  }
  const { metrics, selection, isFromLab } = cards;
  return metrics.map((one) => ({ ...one, selection, isFromLab }));
}
