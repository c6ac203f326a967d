import type { Figure } from "../../views/figures/figure.js";
import { intervalPlot, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";
import type { FoundPlan } from "./view.js";

const title = "What is asked about next";
const series = {
  name: "probability",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;

/** With which probability each stratum's items are drawn. */
export function labelPlanFigure({ strata }: Pick<FoundPlan, "strata">): Figure {
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "items that are asked about, %",
      axisFormat: ".0f",
      valueTitle: "probability",
      rows: strata.map(({ name, items, labelled, probability }) =>
        percentRow(
          { band: "", name, series: series.name, count: countText(items - labelled) },
          { value: probability, low: null, high: null, reason: "all are labelled" },
        ),
      ),
      series: [series],
      domain: [0, 100],
      notes: ["n: items without a label. Strata are bands of score, the lowest first."],
    }),
    caption: "Items are drawn more often where their answers are expected to differ more.",
  };
}
