import type { RaterConclusion } from "../../analysis/raters/raters.js";
import type { Figure } from "../../views/figures/figure.js";
import { intervalPlot, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";
import { byReliability, titlesOfModels } from "./view.js";

const title = "Reliability of raters";
const series = {
  name: "reliability",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;
/** More are not read: the least reliable are shown. */
const mostShown = 40;

/** The share of each rater's answers that is expected to be right, the least reliable first. */
export function ratersFigure(found: RaterConclusion): Figure {
  const all = byReliability(found);
  const shown = all.slice(0, mostShown);
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "answers expected to be right, %, with 95 % interval",
      axisFormat: ".0f",
      valueTitle: "reliability",
      rows: shown.map(({ name, n, reliability, worseThanGuessing }) =>
        percentRow(
          {
            band: "",
            name,
            ...(worseThanGuessing && { under: "worse than guessing" }),
            series: series.name,
            count: countText(n),
          },
          reliability,
        ),
      ),
      series: [series],
      domain: [0, 100],
      notes: [
        `n: ratings. By ${titlesOfModels[found.model]}.`,
        ...(shown.length < all.length
          ? [`Shown: the ${shown.length} least reliable of ${countText(all.length)} raters.`]
          : []),
      ],
    }),
    caption:
      "How many of each rater's answers are expected to be right. Nobody knows the right answers: they are estimated from all raters together.",
  };
}
