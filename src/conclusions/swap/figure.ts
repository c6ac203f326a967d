import type { SwapTestConclusion } from "../../analysis/pairs/swap-test.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { dashNote } from "../../views/figures/interval-plot.js";
import { swapPlot } from "../../views/figures/swap-test.js";

const title = "Swap test by metric";

/** How often each metric prefers the swapped description, and how often it ties. */
export function swapFigure({ metrics, n }: SwapTestConclusion): Figure {
  if (n === 0) return emptyFigure(title, "no row has both scores");
  return {
    title,
    ...swapPlot(
      title,
      Object.entries(metrics).map(([metric, summary]) => ({ metric, ...summary })),
    ),
    caption: `How often the swapped description scores better than the one that the image was made from, and how often both tie. ${dashNote}`,
  };
}
