import { type ConfusionImage, imagesToSwap } from "../../analysis/confusion/confusion-images.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import { type ConfusionSwapRow, swap } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { SwapSelection } from "./conclusion.js";

/** A selection of images with the rows it was made of. */
export interface CountedSelection extends SwapSelection {
  readonly rows: readonly ConfusionSwapRow[];
}

/** How intervals are resampled. */
export type Resampling = { readonly seed: number; readonly resamples: number | undefined };

/** Selects images that show what they should, where the reference knows; then all. */
export function swapSelections(
  images: readonly ConfusionImage[],
  rows: readonly ConfusionSwapRow[],
  metrics: readonly EvaluatedMetric[],
  { unfiltered, ...options }: Resampling & TieOptions & { readonly unfiltered: boolean },
): readonly [CountedSelection, ...CountedSelection[]] {
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  const of = (some: readonly ConfusionSwapRow[]) =>
    swap(some, { ...options, directionOf: (metric) => directions.get(metric) ?? "higher" });
  const all: CountedSelection = {
    name: "all images",
    description: "as they were generated",
    images: images.length,
    rows,
    swap: of(rows),
  };
  const counted = imagesToSwap(images, { unfiltered });
  if (counted === images) return [all];
  const right = new Set(counted.map(({ image }) => image.key as string));
  const itsRows = rows.filter(({ id }) => right.has(id));
  const asDescribed: CountedSelection = {
    name: "as described",
    description: "that show every attribute where it belongs and none elsewhere, by the reference",
    images: right.size,
    rows: itsRows,
    swap: of(itsRows),
  };
  return [asDescribed, all];
}

export const withoutRows = ({ rows, ...selection }: CountedSelection): SwapSelection => selection;
