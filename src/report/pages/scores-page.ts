import type { Metric } from "../../core/metric.js";
import type { UnscoredReason } from "../../core/unscored.js";
import type { Thumbnail } from "../../images/thumbnail.js";
import type { Estimate } from "../../stats/estimate.js";
import { countText, estimateText, fixedText, pluralText } from "../../views/number-text.js";
import type { Card } from "../../views/report.js";
import {
  as,
  countColumn,
  named,
  numberColumn,
  said,
  textColumn,
  type ViewTable,
} from "../../views/view.js";
import { scoreHistogram } from "../plots/score-histogram.js";
import { alsoKnown } from "./conclusion-page.js";
import { type Content, type Html, html } from "./html.js";
import { cardOf, picture, plotFigure } from "./html-parts.js";
import { tableOf } from "./html-table.js";
import { page } from "./page.js";

/** Scores summed up. */
interface Scores {
  readonly n: number;
  readonly unscored: number;
  readonly mean: Estimate;
  /** The mean, had every unscored image got the lowest or the highest score there is. */
  readonly bounds: readonly [low: number, high: number];
}

/** A metric with what it gave, summed up. */
export interface ScoredMetric
  extends Scores,
    Pick<
      Metric,
      "name" | "model" | "convention" | "template" | "statistic" | "range" | "direction"
    > {
  /** The same by model, where several models answered under one name; else empty. */
  readonly answerers: readonly (Scores & Pick<Metric, "model">)[];
  readonly reasons: readonly {
    readonly reason: UnscoredReason;
    readonly count: number;
    /** The first one's detail. */
    readonly detail: string;
  }[];
}

/** An image that is shown, and what each metric gave it: null where there is no answer. */
export interface ScoredImage {
  readonly image: string;
  readonly text: string;
  readonly values: readonly (number | null)[];
  /** Undefined where it could not be opened again. */
  readonly thumbnail?: Thumbnail | undefined;
}

export interface ScoresReport {
  readonly title: string;
  /** The first is what images are ordered by. */
  readonly metrics: readonly [ScoredMetric, ...ScoredMetric[]];
  /** The first metric's scores. */
  readonly values: readonly number[];
  /** How many images there are, shown or not. */
  readonly images: number;
  /** By the first metric, the worst first. */
  readonly worst: readonly ScoredImage[];
  /** By the first metric; undefined where nothing was scored. */
  readonly best?: ScoredImage | undefined;
  readonly warnings: readonly string[];
  /** How intervals were made. */
  readonly method: string;
  /** The command that makes the page again, and that which writes every score. */
  readonly command: string;
  readonly everyScore: string;
}

const mostOpen = 12;

/** Scores of images as one HTML file: the mean, how scores are spread, the worst images first. */
export async function scoresPage(report: ScoresReport): Promise<string> {
  const { title, metrics, values, images, worst, best, warnings, method, command, everyScore } =
    report;
  const [first] = metrics;
  const [lowest] = worst;
  const axisTitle = `${first.name} (${scaleText(first)})`;
  return page({
    title,
    first: {
      verdict: verdictOf(first),
      figure:
        values.length > 0 &&
        (await plotFigure({
          ...scoreHistogram({ title: "Scores", axisTitle, values }),
          caption: `How many images got which score; the dashed line is the mean. ${metrics.length > 1 ? "The other metrics stand in the table below." : ""}`,
        })),
      example:
        lowest !== undefined &&
        best !== undefined &&
        lowest.image !== best.image &&
        (await cardOf(
          pairOf(
            [
              ["Worst", lowest],
              ["Best", best],
            ],
            metrics,
          ),
        )),
    },
    sections: [
      {
        id: "worst",
        title: `Worst first, by ${first.name}`,
        body: html`${leftOut(worst.length, images - first.unscored, everyScore)}${gallery(worst.slice(0, mostOpen), metrics)}`,
      },
      { id: "metrics", title: "Metrics", body: tableOf(metricTable(metrics), { look: "titled" }) },
      ...(metrics.some(({ unscored }) => unscored > 0)
        ? [
            {
              id: "unscored",
              title: "Unscored images by reason",
              body: tableOf(unscoredTable(metrics), { look: "titled" }),
            },
          ]
        : []),
      ...(worst.length > mostOpen
        ? [
            {
              id: "more",
              title: `The next ${countText(worst.length - mostOpen)}`,
              body: gallery(worst.slice(mostOpen), metrics),
              isFolded: true,
            },
          ]
        : []),
      {
        id: "also",
        title: "How numbers were made",
        body: alsoKnown({ caveats: warnings, method }),
        isFolded: warnings.length === 0,
      },
    ],
    closing: html`<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

function verdictOf({ name, n, unscored, mean, answerers }: ScoredMetric): string {
  const without =
    unscored === 0 ? "" : `; ${countText(unscored)} ${unscored === 1 ? "is" : "are"} unscored`;
  if (answerers.length > 0) {
    return `${name}: ${answerers.length} models answered for ${pluralText(n, "image")}${without}; each has a mean of its own.`;
  }
  return mean.value === null
    ? `${name} scored none of ${pluralText(unscored, "image")}.`
    : `${name} gives ${pluralText(n, "image")} a mean score of ${estimateText(mean)}${without}.`;
}

const scaleText = ({ range: [low, high], direction }: ScoredMetric) =>
  `${ends(low)} to ${ends(high)}, ${direction} is better`;
const ends = (value: number) => (Number.isInteger(value) ? countText(value) : fixedText(value, 2));

const leftOut = (shown: number, scored: number, everyScore: string): Content =>
  shown < scored &&
  html`<p class="small">Shown are the worst ${countText(shown)} of ${pluralText(scored, "scored image")}, since images lie in this file; every score: <code>${everyScore}</code></p>
`;

function gallery(images: readonly ScoredImage[], metrics: readonly ScoredMetric[]): Html {
  if (images.length === 0) return html`<p>No image was scored.</p>`;
  return html`<div class="thumbnails">
${images.map((each) => picture(each.thumbnail, `${each.image}, for: ${each.text}`, html`${scoresOf(each, metrics)}<span class="model">${each.text}</span><span class="model file" title="${each.image}">${each.image.split(/[\\/]/).at(-1)}</span>`))}
</div>
`;
}

const scoresOf = ({ values }: ScoredImage, metrics: readonly ScoredMetric[]): Html =>
  html`${metrics.map(({ name }, at) => html`<b>${metrics.length > 1 && `${name} `}${valueText(values[at])}</b>`)}`;

const valueText = (value: number | null | undefined) =>
  value === null || value === undefined
    ? "unscored"
    : estimateText({ value, low: null, high: null });

const pairOf = (
  pair: readonly (readonly [name: string, image: ScoredImage])[],
  metrics: readonly ScoredMetric[],
): Card => ({
  parts: [
    {
      pictures: pair.map(([name, { thumbnail, image, text }]) => ({
        image: thumbnail,
        alternative: `${image}, for: ${text}`,
        caption: said`${as("strong", name)}${text}`,
      })),
    },
    {
      title: "Scores",
      columns: [textColumn("metric"), ...pair.map(([name]) => numberColumn(name.toLowerCase()))],
      rows: metrics
        .slice(0, mostCompared)
        .map(({ name, model }, at) => [
          named(name, model),
          ...pair.map(([, { values }]) => valueText(values[at])),
        ]),
    },
  ],
});

/** Most metrics compared on the first screen. */
const mostCompared = 5;

const metricTable = (metrics: readonly ScoredMetric[]): ViewTable => ({
  title: "Metrics",
  columns: [
    textColumn("metric"),
    ...["n", "unscored"].map((title) => countColumn(title)),
    ...["mean", "if all were scored"].map((title) => numberColumn(title)),
    textColumn("scale"),
  ],
  rows: metrics.flatMap(answererRows).map((metric) => {
    const { name, model, n, unscored, mean, bounds, convention, template, statistic } = metric;
    const [low, high] = bounds;
    return [
      named(
        name,
        model,
        `${statistic}${convention === undefined ? "" : `, convention ${convention}`}`,
        template === undefined ? "" : `template ${template}`,
      ),
      ...[n, unscored, mean, unscored === 0 ? null : { low, high }, scaleText(metric)],
    ];
  }),
  note: "The mean over images with a score, with its 95 % interval; if all were scored: the mean, had every unscored image got the lowest or the highest score.",
});

/** Rows of a metric: one for each model that answered where several did. */
const answererRows = (metric: ScoredMetric): readonly ScoredMetric[] =>
  metric.answerers.length === 0
    ? [metric]
    : metric.answerers.map((answerer) => ({ ...metric, ...answerer }));

const unscoredTable = (metrics: readonly ScoredMetric[]): ViewTable => ({
  title: "Unscored images",
  columns: [
    ...["metric", "reason"].map((title) => textColumn(title)),
    countColumn("images"),
    textColumn("for example"),
  ],
  rows: metrics.flatMap(({ name, reasons }) =>
    reasons.map(({ reason, count, detail }) => [name, reason, count, detail]),
  ),
  note: "They are in no mean and never count as 0.",
});
