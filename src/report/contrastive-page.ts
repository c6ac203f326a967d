import type { ContrastiveConclusion } from "../analysis/contrastive.js";
import { contrastiveTables, namedSummaries } from "./contrastive-tables.js";
import { above, dataTable } from "./data-table.js";
import { type Html, html } from "./html.js";
import { countText } from "./number-text.js";
import { page } from "./page.js";
import { intervalPlot } from "./plots/interval-plot.js";
import { palette } from "./plots/palette.js";
import { plotFigure } from "./sections/plot-figure.js";

/** A contrastive conclusion as one HTML file: verdict, failure rates as a plot, the tables. */
export async function contrastivePage(
  conclusion: ContrastiveConclusion,
  { name, verdict, command }: { name: string; verdict: string; command: string },
): Promise<string> {
  const { warnings, intervals } = conclusion;
  return page({
    title: `Contrastive analysis: ${name}`,
    opening: html`<h1>Contrastive analysis: ${name}</h1>
<p class="lead">${verdict}</p>
${warnings.length > 0 && html`<ul class="also">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
<p class="small">Brackets hold intervals: ${intervals.text}.</p>`,
    sections: [
      { id: "plot", title: "Failure rates", body: await ratesFigure(conclusion) },
      { id: "tables", title: "Tables", body: contrastiveTables(conclusion).map(tableOf) },
    ],
    closing: html`<p>Made by: <code>${command}</code></p>`,
  });
}

async function ratesFigure({ metrics }: ContrastiveConclusion): Promise<Html> {
  const rows = Object.entries(metrics).flatMap(([name, each]) =>
    namedSummaries(each).flatMap(
      ([
        band,
        {
          n,
          failureRate: { value, low, high },
        },
      ]) => {
        if (value === null) return [];
        const percent = (share: number | null) => (share ?? value) * 100;
        return {
          band,
          name,
          under: "",
          series: "failure rate",
          value: percent(value),
          low: percent(low),
          high: percent(high),
          label: `${percent(value).toFixed(1)} %`,
          count: countText(n),
        };
      },
    ),
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
    "How often the wrong image scores at least as well as the right one. The dashed line is what tossing a coin would give.",
  );
}

function tableOf({ title, columns, rows, note }: ReturnType<typeof contrastiveTables>[number]) {
  return dataTable({
    name: title,
    caption: html`<b>${title}.</b> ${note}`,
    columns: columns.map((column) =>
      column.align === "right"
        ? { title: column.title, kind: "number" as const }
        : { title: column.title },
    ),
    rows: rows.map(([metric = "", ...cells]) => ({
      heading: metric === "" ? above : metric,
      cells,
      rule: metric !== "",
    })),
  });
}
