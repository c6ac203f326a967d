import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { estimateRow } from "../../views/figures/place-rows.js";
import { countText } from "../../views/number-text.js";
import { rankedWithin } from "./verdict.js";

/** Each metric's correlation within groups, averaged, beside that of all rows pooled. */
export function withinGroupsFigure(conclusion: CorrelationConclusion): Figure {
  const { human, metrics, n } = conclusion;
  const title = "Correlation with people, within groups and pooled";
  const ranked = rankedWithin(conclusion);
  if (ranked.length === 0 || n === 0) return emptyFigure(title, "no row has a rating and a score");
  const [within, pooled] = series;
  const rows = ranked.flatMap(({ name, groups, kendallTauB }) => {
    const all = metrics[name];
    return [
      estimateRow({ band: "", name, series: within.name, count: countText(groups) }, kendallTauB),
      ...(all === undefined
        ? []
        : [
            estimateRow(
              { band: "", name, series: pooled.name, count: countText(all.n) },
              all.kendallTauB,
            ),
          ]),
    ];
  });
  return {
    title,
    caption: `Kendall's tau-b with ${human} within each group, averaged, and of all rows pooled. Far apart, the groups differ in level. Lines are 95 % intervals.`,
    ...intervalPlot({
      title,
      axisTitle: "Kendall's tau-b (−1 to 1), with its 95 % interval",
      axisFormat: ".1f",
      valueTitle: "value",
      rows,
      series,
      domain: [-1, 1],
      reference: { at: 0, name: "none" },
      notes: ["n: groups within, rows pooled."],
    }),
  };
}

const series = [
  { name: "within groups", colour: palette.blue, shape: "circle", filled: true },
  { name: "pooled", colour: palette.vermilion, shape: "diamond", filled: false },
] as const;
