import type { ContrastiveConclusion } from "../analysis/contrastive.js";
import { conclusionPage } from "./conclusion-page.js";
import { namedSummaries, readableContrastive } from "./contrastive-tables.js";
import { type Html, html } from "./html.js";
import { countText } from "./number-text.js";
import { intervalPlot } from "./plots/interval-plot.js";
import { palette } from "./plots/palette.js";
import { dashNote, percentLine } from "./plots/percent-line.js";
import { plotFigure } from "./sections/plot-figure.js";

/** A contrastive conclusion as one HTML file: verdict, failure rates as a plot, the tables. */
export async function contrastivePage(
  conclusion: ContrastiveConclusion,
  { name, verdict, command }: { name: string; verdict: string; command: string },
): Promise<string> {
  return conclusionPage(readableContrastive(conclusion, verdict), {
    title: `Contrastive analysis: ${name}`,
    command,
    figures: [{ id: "plot", title: "Failure rates", body: await ratesFigure(conclusion) }],
  });
}

async function ratesFigure({ metrics }: ContrastiveConclusion): Promise<Html> {
  const rows = Object.entries(metrics).flatMap(([name, each]) =>
    namedSummaries(each).flatMap(([band, { n, failureRate }]) => {
      const line = percentLine(failureRate);
      if (line === undefined) return [];
      return {
        band,
        name,
        under: "",
        series: "failure rate",
        ...line,
        label: `${line.value.toFixed(1)} %`,
        count: countText(n),
      };
    }),
  );
  if (rows.length === 0) return html`<p>No row has both scores.</p>`;
  const plot = intervalPlot({
    title: "Failure rates by domain and metric",
    axisTitle: "failure rate (% of rows), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "failure rate",
    rows,
    series: [{ name: "failure rate", colour: palette.vermilion, shape: "circle", filled: true }],
    domain: [0, 100],
    reference: { at: 50, name: "chance" },
  });
  return plotFigure(
    plot,
    `How often the wrong image scores at least as well as the right one. The dashed line is what tossing a coin would give. ${dashNote}`,
  );
}
