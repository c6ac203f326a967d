import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";
import type { QuestionFound } from "./view.js";

const series = [
  { name: "over sets", colour: palette.vermilion, shape: "diamond", filled: true },
  { name: "one set", colour: palette.muted, shape: "circle", filled: false },
] as const;

/** A forest plot: each metric's sets, their average above them. */
export function forestFigure({ asked, metrics }: QuestionFound): Figure {
  const title = `Agreement with people on ${asked}`;
  const averaged = metrics.filter(({ accuracyWithin }) => accuracyWithin.value !== null);
  if (averaged.length === 0) return emptyFigure(title, "no metric was measured on three sets");
  const rows = averaged.flatMap(({ metric, sets, accuracyWithin, each }) => [
    percentRow(
      { band: metric, name: "average", series: "over sets", count: `${countText(sets)} sets` },
      accuracyWithin,
    ),
    ...each
      .filter(({ leftOut }) => leftOut === undefined)
      .map(({ set, figures }) =>
        percentRow(
          {
            band: metric,
            name: set,
            series: "one set",
            count: `${countText(figures.pairs)} pairs`,
          },
          figures.accuracyWithin,
        ),
      ),
  ]);
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "pairs of one prompt in people's order (%), with 95 % intervals",
      axisFormat: "d",
      valueTitle: "share",
      countWidth: 76,
      rows,
      series,
      domain: [0, 100],
      reference: { at: 50, name: "chance" },
    }),
    caption:
      "Diamonds are random-effects averages over sets, circles the sets that they are made of. The dashed line is chance.",
  };
}
