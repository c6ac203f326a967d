import { metricOf } from "../../analysis/inference/metric-name.js";
import type { ControlledSummary } from "../../analysis/pairs/prototypicality-effect.js";
import type { Retention } from "../../analysis/pairs/retention.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import type { Figure } from "../../views/figures/figure.js";
import { dashNote } from "../../views/figures/interval-plot.js";
import { boundNote, countText, fixedText } from "../../views/number-text.js";
import type { Chapter, Part } from "../../views/report.js";
import {
  as,
  type Cell,
  countColumn,
  named,
  percentColumn,
  said,
  textColumn,
  type ViewColumn,
  type ViewTable,
} from "../../views/view.js";
import type { MetricResults, PrototypicalityReport } from "./conclusion.js";
import {
  type Effect,
  type FailureRate,
  failureRatesPlot,
  pairKinds,
  prototypicalityEffectPlot,
} from "./figure.js";
import { publishedFailureRates } from "./scores-view.js";

/** Failure rates beside their controls: over all pairs, by domain, by error type; then the paper's. */
export function failuresChapter(report: PrototypicalityReport): Chapter {
  const byDomain = bandedByDomain(report);
  const byKnob = bandedByKnob(report);
  const isOne = isOneDomain(report);
  return {
    id: "failures",
    title: "By domain and error type",
    parts: [
      said`A pair shows a ${as("em", "correct")} image (an atypical subject, everything else as the text says) and an ${as("em", "adversarial")} one (the typical subject, one thing wrong). A metric fails where the adversarial image scores as high as the correct one or higher; a tie is a failure (${tieText(report.tieTolerance)}).`,
      "The controls hold the same error, and neither image is the more typical: the same subject in both images, both atypical or both typical. Only the difference to them is the effect of prototypicality.",
      "The reversed conflict sets a typical and right image against an atypical and wrong one. A metric that fails there prefers what is atypical: the opposite prejudice.",
      ...missingDomains(report),
      ratesFigure(
        report,
        "Failure rate by metric and domain",
        byDomain,
        `With 95 % intervals; n counts pairs that have both scores. ${dashNote} ${isOne ? "" : "All domains pools the pairs; the mean of domains gives each domain equal weight. "}A coin would fail in half of the pairs.`,
      ),
      folded(failureTable(report, "domain", byDomain)),
      ratesFigure(
        report,
        "Failure rate by metric and error type",
        byKnob,
        "An error type is the one thing that is wrong in the adversarial image. The axis may end elsewhere than that above.",
      ),
      folded(failureTable(report, "errorType", byKnob)),
      effectFigure(
        report,
        "Effect of prototypicality by domain",
        byDomain,
        "Failure rate of the triplets minus that of both controls together, in percentage points; n counts triplets. An interval that crosses the line shows no significant effect.",
      ),
      effectFigure(
        report,
        "Effect of prototypicality by error type",
        byKnob,
        "All domains pooled.",
      ),
      publishedFailureRates(report.published),
    ],
  };
}

const folded = (table: ViewTable): Part => ({
  summary: `${table.title} as a table`,
  parts: [table],
});

function ratesFigure(
  report: PrototypicalityReport,
  title: string,
  banded: readonly Banded[],
  caption: string,
): Figure {
  const rates = banded.flatMap((one) => ratesOf(one, report));
  return { title, caption, ...failureRatesPlot(title, rates) };
}

/** What the conflict adds to each metric's failures. */
export function effectFigure(
  report: PrototypicalityReport,
  title: string,
  banded: readonly Banded[],
  caption: string,
): Figure {
  const effects = banded.map(({ band, metric, is }): Effect => {
    const { metric: name, model } = metricOf(report, metric);
    return { band, metric: name, model, n: is.triplets.n, effect: is.effect };
  });
  return { title, caption, ...prototypicalityEffectPlot(title, effects) };
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

export const isOneDomain = ({ selections: [{ metrics }] }: PrototypicalityReport): boolean =>
  metrics.every(({ domains }) => Object.keys(domains).length < 2);

/** Names the domains without a prompt or an image, since they have no row. */
function missingDomains({ selections: [{ metrics }], leftOut }: PrototypicalityReport): Part[] {
  const present = new Set(metrics.flatMap(({ domains }) => Object.keys(domains)));
  const missing = [...new Set(leftOut.map(({ domain }) => domain))].filter(
    (domain) => !present.has(domain),
  );
  if (missing.length === 0 || present.size === 0) return [];
  const to = { text: "what has no answer", as: "link", to: "#unscored" } as const;
  return [said`Nothing here is about ${missing.join(" and ")}: see ${to}.`];
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
  return summariesOf(is).flatMap(({ n, failureRate }, at): FailureRate[] => {
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

const metricCell = (report: PrototypicalityReport, id: string) => {
  const { metric, model } = metricOf(report, id);
  return named(metric, model);
};

const rateColumns = (kinds: readonly string[]): ViewColumn[] => [
  ...kinds.flatMap((heading) => [
    percentColumn("failure rate (%)", { heading }),
    countColumn("n", { heading }),
  ]),
  percentColumn("effect (points)"),
];

const byText = { domain: "domain", errorType: "error type" } as const;

/** Every metric's failure rates by domain or error type. */
export const failureTable = (
  report: PrototypicalityReport,
  by: keyof typeof byText,
  banded: readonly Banded[],
): ViewTable => ({
  title: `Failure rates by ${byText[by]}`,
  columns: [
    textColumn(byText[by], { isGroup: true, facet: by }),
    textColumn("metric", { facet: "metric", under: "model" }),
    ...rateColumns(pairKinds.map(({ name }) => name)),
  ],
  rows: banded.map(({ band, metric, is }): Cell[] => [
    ...[band, metricCell(report, metric)],
    ...summariesOf(is).flatMap(({ failureRate, n }) => [failureRate, n]),
    is.effect,
  ]),
  note: `In percent, [95 % interval]. Effect: failure rate of the triplets minus that of both controls together. ${boundNote}`,
});

/** The same results for all pairs, for those a filter kept, and for those the truth confirms. */
export function filtersChapter(report: PrototypicalityReport): Chapter {
  const { selections, published } = report;
  const { keptInAll, pairs, percent, source } = published.retention;
  return {
    id: "filters",
    title: "With and without filters",
    parts: [
      "Generators draw some images wrongly, and a filter that leaves them out decides what is counted. A pair stays only whole. The results under each filter stand side by side, so that none hides behind another:",
      {
        items: selections.map(
          ({ name, description }) => said`${as("strong", name)}: pairs ${description}`,
        ),
      },
      ratesFigure(
        report,
        "Failure rate by filter, all domains",
        selections.flatMap(({ name: band, metrics }) =>
          metrics.map(({ metric, overall: is }) => ({ band, metric, is })),
        ),
        dashNote,
      ),
      folded(selectionTable(report)),
      ...selections.flatMap(({ name, retention }) =>
        retention === undefined ? [] : [retentionTable(name, retention)],
      ),
      `The paper's filter (other models on other images) left ${countText(keptInAll)} of ${countText(pairs)} pairs, ${fixedText(percent, 2)} % (${published.paper}, ${source}).`,
    ],
  };
}

const selectionTable = (report: PrototypicalityReport): ViewTable => ({
  title: "Results by filter",
  columns: [
    textColumn("filter", { isGroup: true }),
    textColumn("metric"),
    ...rateColumns(["triplets", "both controls"]),
  ],
  rows: report.selections.flatMap(({ name, metrics }) =>
    metrics.map(({ metric, overall: { triplets, controls, effect } }): Cell[] => [
      ...[name, metricCell(report, metric)],
      ...[triplets, controls].flatMap(({ failureRate, n }) => [failureRate, n]),
      effect,
    ]),
  ),
  note: `All domains pooled, in percent, [95 % interval]. ${boundNote}`,
});

function retentionTable(selection: string, { domains, overall }: Retention): ViewTable {
  const reasons = Object.keys(overall.lost);
  return {
    title: `Retention, ${selection}`,
    columns: [
      textColumn("domain"),
      ...["pairs", "kept"].map((title) => countColumn(title)),
      percentColumn("kept (%)"),
      ...reasons.map((title) => countColumn(title, { heading: "left out because" })),
    ],
    rows: [...domains, { domain: "all domains", ...overall }].map(
      ({ domain, pairs, kept, share, lost }) => [
        ...[domain, pairs, kept, share],
        ...reasons.map((reason) => lost[reason] ?? 0),
      ],
    ),
    note: "How many triplets were kept, and why the others went. In parentheses: the one-sided 95 % bound where none or all were kept.",
  };
}
