import { metricOf } from "../../analysis/inference/metric-name.js";
import type { Retention } from "../../analysis/pairs/retention.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { dashNote } from "../../views/figures/percent-line.js";
import { boundNote, countText, fixedText, percentText } from "../../views/number-text.js";
import { type Html, html } from "../pages/html.js";
import { failureRatesPlot } from "../plots/failure-rates.js";
import { above, type Column, dataTable, type Row } from "../text/data-table.js";
import { metricCell } from "../text/metric-cell.js";
import { ratesOf } from "./failures.js";
import { plotFigure } from "./plot-figure.js";

/** The same results for all pairs, for those a filter kept, and for those the truth confirms. */
export async function filters(report: PrototypicalityReport): Promise<Html> {
  const { selections, published } = report;
  const rates = selections.flatMap(({ name: band, metrics }) =>
    metrics.flatMap(({ metric, overall: is }) => ratesOf({ band, metric, is }, report)),
  );
  return html`<div class="prose">
<p>Generators draw some images wrongly, and a filter that leaves them out decides what is counted. A pair stays only whole. The results under each filter stand side by side, so that none hides behind another:</p>
<ul>${selections.map(({ name, description }) => html`<li><b>${name}</b>: pairs ${description}</li>`)}</ul>
</div>
${await plotFigure(
  failureRatesPlot("Failure rate by filter, all domains", rates),
  html`${dashNote}`,
)}
${selectionTable(report)}
${selections.map(({ name, retention }) => retention && retentionTable(name, retention))}
<p class="small prose">The paper's filter (other models on other images) left ${countText(
    published.retention.keptInAll,
  )} of ${countText(published.retention.pairs)} pairs, ${fixedText(
    published.retention.percent,
    2,
  )} % (${published.paper}, ${published.retention.source}).</p>`;
}

function selectionTable(report: PrototypicalityReport): Html {
  const name = "Results by filter";
  const columns: Column[] = [
    { title: "filter" },
    { title: "metric" },
    { title: "failure rate (%)", kind: "number", group: "triplets" },
    { title: "n", kind: "number", group: "triplets" },
    { title: "failure rate (%)", kind: "number", group: "both controls" },
    { title: "n", kind: "number", group: "both controls" },
    { title: "effect (points)", kind: "number" },
  ];
  const rows = report.selections.flatMap((selection) =>
    selection.metrics.map(
      ({ metric, overall: { triplets, controls, effect } }, at): Row => ({
        heading: at === 0 ? selection.name : above,
        rule: at === 0,
        cells: [
          metricCell(metricOf(report, metric)),
          ...[triplets, controls].flatMap(({ failureRate, n }) => [
            percentText(failureRate),
            countText(n),
          ]),
          percentText(effect),
        ],
      }),
    ),
  );
  const caption = html`<b>${name}</b>, all domains pooled, in percent, [95 % interval]. ${boundNote}`;
  return html`<details class="plain"><summary>${name} as a table</summary>
${dataTable({ name, caption, columns, rows })}</details>
`;
}

function retentionTable(selection: string, { domains, overall }: Retention): Html {
  const reasons = Object.keys(overall.lost);
  const name = `Retention, ${selection}`;
  return dataTable({
    name,
    caption: html`<b>${name}.</b> How many triplets were kept, and why the others went. In parentheses: the one-sided 95 % bound where none or all were kept.`,
    columns: [
      { title: "domain", kind: "short" },
      { title: "pairs", kind: "number" },
      { title: "kept", kind: "number" },
      { title: "kept (%)", kind: "number" },
      ...reasons.map((title): Column => ({ title, kind: "number", group: "left out because" })),
    ],
    rows: [...domains, { domain: "all domains", ...overall }].map(
      ({ domain, pairs, kept, share, lost }, at) => ({
        heading: domain,
        rule: at === domains.length,
        cells: [
          countText(pairs),
          countText(kept),
          percentText(share),
          ...reasons.map((reason) => countText(lost[reason] ?? 0)),
        ],
      }),
    ),
  });
}
