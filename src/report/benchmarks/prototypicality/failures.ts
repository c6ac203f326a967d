import { metricOf } from "../../../analysis/inference/metric-name.js";
import type { ControlledSummary } from "../../../analysis/pairs/prototypicality-effect.js";
import type { Retention } from "../../../analysis/pairs/retention.js";
import { tieText } from "../../../analysis/pairs/score-ties.js";
import type {
  MetricResults,
  PrototypicalityReport,
} from "../../../benchmarks/prototypicality/conclusion.js";
import { dashNote } from "../../../views/figures/percent-line.js";
import { boundNote, countText, fixedText, percentText } from "../../../views/number-text.js";
import { above, type Column, dataTable, metricCell, type Row } from "../../pages/data-table.js";
import { type Content, type Html, html } from "../../pages/html.js";
import { warningList } from "../../pages/notices.js";
import { plotFigure } from "../../sections/plot-figure.js";
import {
  type Effect,
  type FailureRate,
  failureRatesPlot,
  pairKinds,
  prototypicalityEffectPlot,
} from "./figure.js";
import { publishedFailureRates } from "./published.js";

/** Failure rates beside their controls: over all pairs, by domain, by error type; then the paper's. */
export async function failures(report: PrototypicalityReport): Promise<Html> {
  const byDomain = bandedByDomain(report);
  const byKnob = bandedByKnob(report);
  const isOne = isOneDomain(report);
  const rates = (banded: readonly Banded[]) => banded.flatMap((one) => ratesOf(one, report));
  const effects = (banded: readonly Banded[]) => banded.map((one) => effectOf(one, report));

  return html`<div class="prose">
<p>A pair shows a <em>correct</em> image (an atypical subject, everything else as the text says) and an <em>adversarial</em> one (the typical subject, one thing wrong). A metric fails where the adversarial image scores as high as the correct one or higher; a tie is a failure (${tieText(report.tieTolerance)}).</p>
<p>The controls hold the same error, and neither image is the more typical: the same subject in both images, both atypical or both typical. Only the difference to them is the effect of prototypicality.</p>
<p>The reversed conflict sets a typical and right image against an atypical and wrong one. A metric that fails there prefers what is atypical: the opposite prejudice.</p>
${missingDomains(report)}${warningList(report.warnings)}</div>
${await plotFigure(
  failureRatesPlot("Failure rate by metric and domain", rates(byDomain)),
  html`With 95 % intervals; n counts pairs that have both scores. ${dashNote} ${isOne ? "" : "All domains pools the pairs; the mean of domains gives each domain equal weight. "}A coin would fail in half of the pairs.`,
)}
${comparisonTable(report, "Failure rates by domain", byDomain)}
${await plotFigure(
  failureRatesPlot("Failure rate by metric and error type", rates(byKnob)),
  html`An error type is the one thing that is wrong in the adversarial image. The axis may end elsewhere than that above.`,
)}
${comparisonTable(report, "Failure rates by error type", byKnob)}
${await plotFigure(
  prototypicalityEffectPlot("Effect of prototypicality by domain", effects(byDomain)),
  html`Failure rate of the triplets minus that of both controls together, in percentage points; n counts triplets. An interval that crosses the line shows no significant effect.`,
)}
${await plotFigure(
  prototypicalityEffectPlot("Effect of prototypicality by error type", effects(byKnob)),
  html`All domains pooled.`,
)}
${publishedFailureRates(report.published)}`;
}

/** Every metric over all domains, their mean, and each domain. */
export function bandedByDomain(report: PrototypicalityReport): Banded[] {
  const [{ metrics }] = report.selections;
  return [
    ...metrics.map(({ metric, overall: is }) => ({ band: "all domains", metric, is })),
    ...(isOneDomain(report)
      ? []
      : metrics.map(({ metric, macro: is }) => ({ band: "mean of domains", metric, is }))),
    ...bandsOf(metrics, ({ domains }) => domains),
  ];
}

/** Every metric by error type, all domains pooled. */
export const bandedByKnob = ({ selections: [{ metrics }] }: PrototypicalityReport): Banded[] =>
  bandsOf(metrics, ({ knobs }) => knobs);

const isOneDomain = ({ selections: [{ metrics }] }: PrototypicalityReport): boolean =>
  metrics.every(({ domains }) => Object.keys(domains).length < 2);

/** Names the domains without a prompt or an image, since they have no row. */
function missingDomains({ selections: [{ metrics }], leftOut }: PrototypicalityReport): Content {
  const present = new Set(metrics.flatMap(({ domains }) => Object.keys(domains)));
  const missing = [...new Set(leftOut.map(({ domain }) => domain))].filter(
    (domain) => !present.has(domain),
  );
  if (missing.length === 0 || present.size === 0) return "";
  return html`<p>Nothing here is about ${missing.join(" and ")}: see <a href="#unscored">what has no answer</a>.</p>
`;
}

export interface Banded {
  readonly band: string;
  readonly metric: string;
  readonly is: ControlledSummary;
}

/** Bands in the order in which the first metric has them, metrics within each. */
function bandsOf(
  metrics: readonly MetricResults[],
  of: (results: MetricResults) => Readonly<Record<string, ControlledSummary>>,
): Banded[] {
  const bands = [...new Set(metrics.flatMap((results) => Object.keys(of(results))))];
  return bands.flatMap((band) =>
    metrics.flatMap((results) => {
      const is = of(results)[band];
      if (is === undefined) return [];
      return [{ band: band.replaceAll("_", " "), metric: results.metric, is }];
    }),
  );
}

/** Failure rates of triplets, both controls and reversed conflicts, ready for a plot. */
export function ratesOf({ band, metric, is }: Banded, report: PrototypicalityReport) {
  const { metric: name, model } = metricOf(report, metric);
  const summaries = summariesOf(is);
  return summaries.flatMap(({ n, failureRate }, at): FailureRate[] => {
    const series = pairKinds[at]?.name;
    return series === undefined ? [] : [{ band, metric: name, model, series, n, failureRate }];
  });
}

/** In the order of `pairKinds`. */
const summariesOf = ({ triplets, bothAtypical, bothTypical, reversed }: ControlledSummary) => [
  triplets,
  bothAtypical,
  bothTypical,
  reversed,
];

export function effectOf({ band, metric, is }: Banded, report: PrototypicalityReport): Effect {
  const { metric: name, model } = metricOf(report, metric);
  return { band, metric: name, model, n: is.triplets.n, effect: is.effect };
}

/** Failure rate and n of each kind of pair, and the effect, as a table prints them. */
export const comparedCells = (is: ControlledSummary): string[] => [
  ...summariesOf(is).flatMap(({ failureRate, n }) => [percentText(failureRate), countText(n)]),
  percentText(is.effect),
];

function comparisonTable(
  report: PrototypicalityReport,
  name: string,
  banded: readonly Banded[],
): Html {
  const columns: Column[] = [
    { title: "" },
    { title: "metric" },
    ...pairKinds.flatMap(({ name: group }): Column[] => [
      { title: "failure rate (%)", kind: "number", group },
      { title: "n", kind: "number", group },
    ]),
    { title: "effect (points)", kind: "number" },
  ];
  const rows = banded.map(({ band, metric, is }, at): Row => {
    const isFirst = banded[at - 1]?.band !== band;
    return {
      heading: isFirst ? band : above,
      rule: isFirst,
      cells: [metricCell(metricOf(report, metric)), ...comparedCells(is)],
    };
  });
  const caption = html`<b>${name}</b> in percent, [95 % interval]. ${boundNote}`;
  return html`<details class="plain"><summary>${name} as a table</summary>
${dataTable({ name, caption, columns, rows })}</details>
`;
}

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
