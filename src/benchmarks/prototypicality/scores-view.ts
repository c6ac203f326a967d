import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import type { PairSummary } from "../../analysis/pairs/pair-summary.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { decimalExponent } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Drawing, Figure } from "../../views/figures/figure.js";
import { intervalPlot, type SeriesMark } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import type { IntervalRow } from "../../views/figures/place-rows.js";
import { boundNoteWithMeans, countText, fixedText } from "../../views/number-text.js";
import type { Chapter } from "../../views/report.js";
import {
  type Cell,
  countColumn,
  named,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewColumn,
  type ViewTable,
} from "../../views/view.js";
import type { MetricResults, PrototypicalityReport } from "./conclusion.js";
import type { Published } from "./published.js";

const otherwise = "other models on other images";

/** Score means, margins and counts of the triplets, in the layouts of the paper's tables 2 and 1. */
export const scoresChapter = (report: PrototypicalityReport): Chapter => ({
  id: "scores",
  title: "Scores and margins",
  parts: [
    "Scores stand in each metric's own unit and are compared before any rounding; the scores of different metrics have no common scale.",
    ...report.selections[0].metrics.map((results) => meansFigure(report, results)),
    ...tables.map((table) => summaryTable(report, table)),
    {
      summary: "The paper's tables beside these: other models on other images",
      parts: [publishedMeans(report.published), publishedMargins(report.published)],
    },
  ],
});

function meansFigure(
  report: PrototypicalityReport,
  { metric, overall, domains }: MetricResults,
): Figure {
  const about = report.metrics.find(({ id }) => id === metric);
  const title = `Mean scores of ${spokenName(report, metric)}`;
  const unit =
    about === undefined
      ? "score"
      : `${about.statistic}, range ${fixedEnd(about.range[0])} to ${fixedEnd(about.range[1])}`;
  const means = [
    { domain: "all domains", ...overall.triplets },
    ...Object.entries(domains).map(([domain, { triplets }]) => ({ domain, ...triplets })),
  ];
  const better = about?.direction === "lower" ? "Lower" : "Higher";
  return {
    title,
    caption: `Of the correct and of the typical wrong image. ${better} is better. The axis shows only the part of the range where the means lie.`,
    ...scoreMeansPlot({ title, unit, means }),
  };
}

const fixedEnd = (end: number) => fixedText(end, Number.isInteger(end) ? 0 : 1);

interface SummaryTable {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly ViewColumn[];
  cells(summary: PairSummary, range: readonly [low: number, high: number]): Cell[];
}

const numbers = (...titles: readonly string[]) => titles.map((title) => numberColumn(title));
const means = numbers("correct", "adversarial", "difference");

const tables: readonly SummaryTable[] = [
  {
    title: "Mean scores",
    note: "Of the correct and the adversarial image, and of their difference (correct minus adversarial), with [95 % intervals]; in the metric's own unit.",
    columns: means,
    cells: ({ meanCorrect, meanAdversarial, difference }) => [
      ...[meanCorrect, meanAdversarial, difference],
    ],
  },
  {
    // The paper's own form, in which metrics of different units can be set side by side.
    title: "Mean scores on [0, 1]",
    note: "The same with each score as its place in the metric's range, (score − low) / (high − low), as the paper's table 2 has them; – where a metric's range has no end.",
    columns: means,
    cells({ meanCorrect, meanAdversarial, difference }, [low, high]) {
      const width = high - low;
      if (!Number.isFinite(width)) return [null, null, null];
      const placed = (one: Estimate, from: number) =>
        scaled(one, (value) => (value - from) / width);
      return [placed(meanCorrect, low), placed(meanAdversarial, low), placed(difference, 0)];
    },
  },
  {
    title: "Ranking margins",
    note: "By how much the better-scored image leads: where the metric ranks rightly, and where it does not (ties count there, as 0), with [95 % intervals]; the paper's table 1.",
    columns: numbers("correct-ranking margin", "incorrect-ranking margin"),
    cells: ({ correctMargin, incorrectMargin }) => [correctMargin, incorrectMargin],
  },
  {
    title: "Ties, unscored pairs and bounds",
    note: `A tie counts as a failure in the failure rate and not in the strict one. The bounds are the failure rate had all unscored pairs passed, and had all failed. ${boundNoteWithMeans}`,
    columns: [
      ...["failure rate (%)", "strict failure rate (%)"].map((title) => percentColumn(title)),
      ...["ties", "unscored"].map((title) => countColumn(title)),
      percentColumn("bounds (%)"),
    ],
    cells: ({ failureRate, strictFailureRate, ties, unscored, bounds }) => [
      ...[failureRate, strictFailureRate, ties, unscored, bounds],
    ],
  },
];

const scaled = (one: Estimate, by: (value: number) => number): Estimate => ({
  ...one,
  value: one.value === null ? null : by(one.value),
  low: one.low === null ? null : by(one.low),
  high: one.high === null ? null : by(one.high),
});

const summaryTable = (
  report: PrototypicalityReport,
  { title, note, columns, cells }: SummaryTable,
): ViewTable => ({
  title,
  note,
  columns: [
    textColumn("metric", { isGroup: true }),
    textColumn("triplets"),
    countColumn("n"),
    ...columns,
  ],
  rows: report.selections[0].metrics.flatMap((results) => {
    const { metric, model } = metricOf(report, results.metric);
    const name = named(metric, model);
    const range = report.metrics.find(({ id }) => id === results.metric)?.range ?? noRange;
    return summariesOf(results).map(([where, summary]): Cell[] => [
      ...[name, where, summary.n],
      ...cells(summary, range),
    ]);
  }),
});

const noRange = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** One metric's summaries: all domains, the average of the domains, each domain. */
const summariesOf = ({ overall, macro, domains }: MetricResults): [string, PairSummary][] => [
  ["all domains", overall.triplets],
  ["mean of domains", macro.triplets],
  ...Object.entries(domains).map(([domain, { triplets }]): [string, PairSummary] => [
    domain,
    triplets,
  ]),
];

interface ScoreMean {
  readonly domain: string;
  readonly n: number;
  readonly meanCorrect: Estimate;
  readonly meanAdversarial: Estimate;
}

const series = [
  { name: "correct image", colour: palette.green, shape: "triangle-up", filled: true },
  { name: "typical wrong image", colour: palette.vermilion, shape: "circle", filled: false },
] as const satisfies readonly SeriesMark[];

/**
 * One metric's mean score of correct and of typical wrong images, by domain (figure 3 of
 * ProtoBias), in the metric's own unit. The axis spans the means, not the metric's range.
 */
export function scoreMeansPlot({
  title,
  unit,
  means,
}: {
  readonly title: string;
  readonly unit: string;
  readonly means: readonly ScoreMean[];
}): Drawing {
  const rows = means.flatMap(({ domain, n, meanCorrect, meanAdversarial }) =>
    [meanCorrect, meanAdversarial].flatMap(({ value, low, high }, at): IntervalRow[] => {
      const mark = series[at];
      if (value === null || mark === undefined) return [];
      return [
        {
          band: "",
          name: domain,
          series: mark.name,
          value,
          low: low ?? value,
          high: high ?? value,
          label: fixedText(value, 3),
          count: countText(n),
        },
      ];
    }),
  );
  const least = smallestOf(rows.map(({ low }) => low));
  const most = largestOf(rows.map(({ high }) => high));
  const air = Math.max((most - least) * 0.1, 1e-6);
  const decimals =
    rows.length === 0 ? 1 : Math.max(0, -decimalExponent((most - least + 2 * air) / 8));
  return intervalPlot({
    title,
    axisTitle: `mean score (${unit}), with its 95 % interval`,
    axisFormat: `.${decimals}f`,
    valueTitle: "mean",
    rows,
    series,
    domain: rows.length === 0 ? [0, 1] : [least - air, most + air],
  });
}

/** The paper's failure rates. They are shown apart, so that nobody compares line with line. */
export const publishedFailureRates = ({ paper, failureRate }: Published): ViewTable => ({
  title: `The paper's failure rates: ${otherwise}`,
  columns: [textColumn("metric"), numberColumn("failure rate (%)"), textColumn("where")],
  rows: failureRate.rows.map(({ metric, value, relation, source }) => [
    ...[metric, relation === "above" ? `> ${value}` : fixedText(value, 2), source],
  ]),
  note: `As ${paper} prints them; to be set beside the figures above by eye, never an expectation.`,
});

/** The paper's margins (table 1). */
function publishedMargins({ paper, margins }: Published): ViewTable {
  const domains = Object.keys(margins.rows[0]?.correct ?? {});
  return {
    title: `The paper's ranking margins: ${otherwise}`,
    columns: [
      textColumn("metric"),
      ...["correct-ranking margin", "incorrect-ranking margin"].flatMap((heading) =>
        domains.map((title) => numberColumn(title, { heading, decimals: 3 })),
      ),
    ],
    rows: margins.rows.map(({ metric, correct, incorrect }) => [
      metric,
      ...[correct, incorrect].flatMap((margin: Readonly<Record<string, number>>) =>
        domains.map((domain) => margin[domain] ?? null),
      ),
    ]),
    note: `${paper}, ${margins.source}.`,
  };
}

/** The paper's mean scores (table 2). */
function publishedMeans({ paper, means }: Published): ViewTable {
  const domains = ["animals", "demography", "objects"] as const;
  return {
    title: `The paper's mean scores: ${otherwise}`,
    columns: [
      textColumn("metric"),
      ...domains.flatMap((heading) =>
        ["correct", "adversarial", "difference"].map((title) =>
          numberColumn(title, { heading, decimals: 2 }),
        ),
      ),
    ],
    rows: means.rows.map((row) => [
      row.metric,
      ...domains.flatMap((domain) => {
        const { correct, adversarial, difference } = row[domain];
        return [correct, adversarial, difference];
      }),
    ]),
    note: `${paper}, ${means.source}.`,
  };
}
