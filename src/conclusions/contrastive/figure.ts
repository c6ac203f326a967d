import { type ContrastiveConclusion, namedSummaries } from "../../analysis/pairs/contrastive.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import {
  dashNote,
  intervalPlot,
  lineNotes,
  percentRow,
} from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText, pluralText } from "../../views/number-text.js";

const title = "Failure rates by domain and metric";

/** How often each metric fails, by domain, with intervals, beside what tossing a coin would give. */
export function contrastiveFigure({ metrics, n, unscored }: ContrastiveConclusion): Figure {
  if (n === 0) return emptyFigure(title, "no row has both scores");
  const rows = Object.entries(metrics).flatMap(([name, each]) =>
    namedSummaries(each).map(([band, { n, failureRate }]) =>
      percentRow({ band, name, series: "failure rate", count: countText(n) }, failureRate),
    ),
  );
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: "failure rate (% of rows), with its 95 % interval",
      axisFormat: "d",
      valueTitle: "failure rate",
      rows,
      series: [{ name: "failure rate", colour: palette.vermilion, shape: "circle", filled: true }],
      domain: [0, 100],
      reference: { at: 50, name: "chance" },
      notes: [
        ...lineNotes(rows),
        ...(unscored === 0 ? [] : [`Unscored and excluded: ${pluralText(unscored, "row")}.`]),
      ],
    }),
    caption: `How often the wrong image scores at least as well as the right one. The dashed line is what tossing a coin would give. ${dashNote}`,
  };
}
