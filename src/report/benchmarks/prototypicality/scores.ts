import { metricOf, spokenName } from "../../../analysis/inference/metric-name.js";
import type { PairSummary } from "../../../analysis/pairs/pair-summary.js";
import type {
  MetricResults,
  PrototypicalityReport,
} from "../../../benchmarks/prototypicality/conclusion.js";
import type { Estimate } from "../../../stats/estimate.js";
import {
  boundNoteWithMeans,
  countText,
  estimateText,
  fixedText,
  percentText,
} from "../../../views/number-text.js";
import { above, type Column, dataTable, metricCell } from "../../pages/data-table.js";
import { type Html, html } from "../../pages/html.js";
import { scoreMeansPlot } from "../../plots/score-means.js";
import { plotFigure } from "../../sections/plot-figure.js";
import { publishedMargins, publishedMeans } from "./published.js";

/** Score means, margins and counts of the triplets, in the layouts of the paper's tables 2 and 1. */
export async function scores(report: PrototypicalityReport): Promise<Html> {
  const figures: Html[] = [];
  for (const results of report.selections[0].metrics) {
    figures.push(await meansFigure(report, results));
  }
  return html`<p class="prose">Scores stand in each metric's own unit and are compared before any rounding; the scores of different metrics have no common scale.</p>
${figures}
${meansTable(report)}
${scaledMeansTable(report)}
${marginsTable(report)}
${countsTable(report)}
<details class="plain"><summary>The paper's tables beside these: other models on other images</summary>
${publishedMeans(report.published)}
${publishedMargins(report.published)}
</details>`;
}

async function meansFigure(
  report: PrototypicalityReport,
  { metric, overall, domains }: MetricResults,
): Promise<Html> {
  const about = report.metrics.find(({ id }) => id === metric);
  const name = spokenName(report, metric);
  const unit =
    about === undefined
      ? "score"
      : `${about.statistic}, range ${fixedEnd(about.range[0])} to ${fixedEnd(about.range[1])}`;
  const means = [
    { domain: "all domains", ...overall.triplets },
    ...Object.entries(domains).map(([domain, { triplets }]) => ({ domain, ...triplets })),
  ];
  return plotFigure(
    scoreMeansPlot({ title: `Mean scores of ${name}`, unit, means }),
    html`Of the correct and of the typical wrong image. ${
      about?.direction === "lower" ? "Lower is better." : "Higher is better."
    } The axis shows only the part of the range where the means lie.`,
  );
}

const fixedEnd = (end: number) => fixedText(end, Number.isInteger(end) ? 0 : 1);

/** One metric's summaries: all domains, the average of the domains, each domain. */
function summariesOf({ overall, macro, domains }: MetricResults): [string, PairSummary][] {
  return [
    ["all domains", overall.triplets],
    ["mean of domains", macro.triplets],
    ...Object.entries(domains).map(([domain, { triplets }]): [string, PairSummary] => [
      domain,
      triplets,
    ]),
  ];
}

const rangeOf = ({ metrics }: PrototypicalityReport, { metric }: MetricResults) =>
  metrics.find(({ id }) => id === metric)?.range ??
  ([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const);

function meansTable(report: PrototypicalityReport): Html {
  return summaryTable({
    report,
    name: "Mean scores",
    caption:
      "Of the correct and the adversarial image, and of their difference (correct minus adversarial), with [95 % intervals]; in the metric's own unit.",
    titles: ["correct", "adversarial", "difference"],
    cells: ({ meanCorrect, meanAdversarial, difference }) =>
      [meanCorrect, meanAdversarial, difference].map(estimateText),
  });
}

/** The paper's own form, in which metrics of different units can be set side by side. */
function scaledMeansTable(report: PrototypicalityReport): Html {
  return summaryTable({
    report,
    name: "Mean scores on [0, 1]",
    caption:
      "The same with each score as its place in the metric's range, (score − low) / (high − low), as the paper's table 2 has them; – where a metric's range has no end.",
    titles: ["correct", "adversarial", "difference"],
    cells: ({ meanCorrect, meanAdversarial, difference }, [low, high]) => {
      const width = high - low;
      if (!Number.isFinite(width)) return ["–", "–", "–"];
      const placed = (one: Estimate, from: number) =>
        estimateText(scaled(one, (value) => (value - from) / width));
      return [placed(meanCorrect, low), placed(meanAdversarial, low), placed(difference, 0)];
    },
  });
}

const scaled = (one: Estimate, by: (value: number) => number): Estimate => ({
  ...one,
  value: one.value === null ? null : by(one.value),
  low: one.low === null ? null : by(one.low),
  high: one.high === null ? null : by(one.high),
});

function marginsTable(report: PrototypicalityReport): Html {
  return summaryTable({
    report,
    name: "Ranking margins",
    caption:
      "By how much the better-scored image leads: where the metric ranks rightly, and where it does not (ties count there, as 0), with [95 % intervals]; the paper's table 1.",
    titles: ["correct-ranking margin", "incorrect-ranking margin"],
    cells: ({ correctMargin, incorrectMargin }) =>
      [correctMargin, incorrectMargin].map(estimateText),
  });
}

function countsTable(report: PrototypicalityReport): Html {
  const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));
  return summaryTable({
    report,
    name: "Ties, unscored pairs and bounds",
    caption: `A tie counts as a failure in the failure rate and not in the strict one. The bounds are the failure rate had all unscored pairs passed, and had all failed. ${boundNoteWithMeans}`,
    titles: ["failure rate (%)", "strict failure rate (%)", "ties", "unscored", "bounds (%)"],
    cells: ({ failureRate, strictFailureRate, ties, unscored, bounds }) => [
      percentText(failureRate),
      percentText(strictFailureRate),
      countText(ties),
      countText(unscored),
      `${percent(bounds.low)} to ${percent(bounds.high)}`,
    ],
  });
}

function summaryTable({
  report,
  name,
  caption,
  titles,
  cells,
}: {
  readonly report: PrototypicalityReport;
  readonly name: string;
  readonly caption: string;
  readonly titles: readonly string[];
  readonly cells: (summary: PairSummary, range: readonly [number, number]) => string[];
}): Html {
  return dataTable({
    name,
    caption: html`<b>${name}.</b> ${caption}`,
    columns: [
      { title: "metric" },
      { title: "triplets", kind: "short" },
      { title: "n", kind: "number" },
      ...titles.map((title): Column => ({ title, kind: "number" })),
    ],
    rows: report.selections[0].metrics.flatMap((results) =>
      summariesOf(results).map(([where, summary], at) => ({
        heading: at === 0 ? metricCell(metricOf(report, results.metric)) : above,
        rule: at === 0,
        cells: [where, countText(summary.n), ...cells(summary, rangeOf(report, results))],
      })),
    ),
  });
}
