import type { ContrastiveConclusion } from "../../analysis/contrastive.js";
import { namedSummaries } from "../contrastive-tables.js";
import { countText, pluralText } from "../number-text.js";
import { emptyFigure, type Figure } from "./figure.js";
import { intervalPlot } from "./interval-plot.js";
import { palette } from "./palette.js";
import { bareDotNote, dashNote, percentLine } from "./percent-line.js";

const title = "Failure rates by domain and metric";

/** How often each metric fails, by domain, with intervals, beside what tossing a coin would give. */
export function contrastiveFigure({ metrics, n, unscored }: ContrastiveConclusion): Figure {
  if (n === 0) return emptyFigure(title, "no row has both scores");
  const rows = Object.entries(metrics).flatMap(([name, each]) =>
    namedSummaries(each).map(([band, { n, failureRate }]) => {
      const row = { band, name, under: "", series: "failure rate", count: countText(n) };
      const line = percentLine(failureRate);
      return line === undefined
        ? { ...row, label: "–", reason: failureRate.reason ?? "no row has both scores" }
        : { ...row, ...line, label: `${line.value.toFixed(1)} %` };
    }),
  );
  const hasBareDot = rows.some((row) => "low" in row && row.low === row.high);
  const hasBounds = rows.some((row) => "isBound" in row && row.isBound);
  return {
    title,
    spec: intervalPlot({
      title,
      axisTitle: "failure rate (% of rows), with its 95 % interval",
      axisFormat: "d",
      valueTitle: "failure rate",
      rows,
      series: [{ name: "failure rate", colour: palette.vermilion, shape: "circle", filled: true }],
      domain: [0, 100],
      reference: { at: 50, name: "chance" },
      notes: [
        ...(hasBounds ? [dashNote] : []),
        ...(hasBareDot ? [bareDotNote] : []),
        ...(unscored === 0 ? [] : [`Unscored and in no rate: ${pluralText(unscored, "row")}.`]),
      ],
    }),
    caption: `How often the wrong image scores at least as well as the right one. The dashed line is what tossing a coin would give. ${dashNote}`,
  };
}
