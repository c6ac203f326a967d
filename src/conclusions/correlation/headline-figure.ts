import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { estimateRow } from "../../views/figures/place-rows.js";
import { countText } from "../../views/number-text.js";
import { rankedMetrics, type ShownCorrelation } from "./verdict.js";

const ofMetrics = {
  name: "metrics",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;
const ofPeople = {
  name: "one rater, against the others",
  colour: palette.green,
  shape: "square",
  filled: true,
} as const;

/** How far each of several metrics follows people, in the statistic that the verdict ranks by, and how far one rater does. */
export function headlineFigure(found: ShownCorrelation): Figure {
  const { human, n, ceiling } = found;
  const title = `How far metrics follow ${human}`;
  if (n === 0) return emptyFigure(title, "no row has a rating and a score");
  const rows = rankedMetrics(found).map((metric) =>
    estimateRow(
      { band: "", name: metric.name, series: ofMetrics.name, count: countText(metric.n) },
      metric.kendallTauB,
    ),
  );
  const people =
    ceiling === undefined
      ? []
      : [
          estimateRow(
            { band: "", name: "one rater", series: ofPeople.name, count: countText(ceiling.n) },
            ceiling,
          ),
        ];
  return {
    title,
    caption:
      `Kendall's tau-b of each metric with ${human}, the one that follows it best first. Lines are 95 % intervals, each ` +
      "metric's by itself: whether two differ, the table of differences says.",
    ...intervalPlot({
      title,
      axisTitle: "Kendall's tau-b (−1 to 1), with its 95 % interval",
      axisFormat: ".1f",
      valueTitle: "value",
      rows: [...rows, ...people],
      series: [ofMetrics, ...(people.length === 0 ? [] : [ofPeople])],
      domain: [-1, 1],
      reference: { at: 0, name: "none" },
      notes: ["n: rows that people rated and the metric scored."],
    }),
  };
}
