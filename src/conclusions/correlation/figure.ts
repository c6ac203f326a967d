import type { CorrelationConclusion } from "../../analysis/correlation/correlation.js";
import type { CorrelationMetric } from "../../analysis/correlation/correlation-metric.js";
import {
  type ColumnarTable,
  type CorrelationTable,
  columnsOf,
} from "../../analysis/correlation/correlation-row.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { picked, placesWith } from "../../core/row-codes.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import {
  noteHeight,
  noteLines,
  smallText,
  titleLook,
  viewsFrame,
  words,
} from "../../views/figures/marks.js";
import { palette } from "../../views/figures/palette.js";
import { estimateRow } from "../../views/figures/place-rows.js";
import { fitted, wrapped } from "../../views/figures/text-width.js";
import { countText, estimateText } from "../../views/number-text.js";
import { rankedMetrics, type ShownCorrelation } from "./verdict.js";

/** More points than these hide one another in a panel, and make a heavy file over all panels. */
const most = { inPanel: 2000, inAll: 12_000 } as const;
const seed = 0;
const sizes = {
  one: { columns: 1, width: 420, height: 320, gap: 0 },
  two: { columns: 2, width: 292, height: 230, gap: 52 },
  many: { columns: 3, width: 176, height: 150, gap: 52 },
} as const;
const sizeFor = (panels: number) =>
  panels === 1 ? sizes.one : panels === 2 || panels === 4 ? sizes.two : sizes.many;
const lineHeight = 15;
const left = 74;

interface Named extends CorrelationMetric {
  readonly name: string;
  /** Its place among the metrics of the table. */
  readonly at: number;
}

/** Every metric's scores against people's ratings, a panel each, the one that follows best first. */
export const correlationFigure = (
  conclusion: CorrelationConclusion,
  table: Pick<CorrelationTable, "rows" | "metrics">,
): Figure => scatterFigure(conclusion, columnsOf({ human: conclusion.human, ...table }));

/** The same of rows by column. */
export function scatterFigure(
  conclusion: CorrelationConclusion,
  {
    metrics,
    columns: { names, rows, human, scores: ofMetrics },
  }: Pick<ColumnarTable, "columns" | "metrics">,
): Figure {
  const title = `Metrics against ${conclusion.human}`;
  const panels = byCorrelation(conclusion, metrics);
  const rated = placesWith(rows.length, [human]);
  if (panels.length === 0 || conclusion.n === 0) {
    return emptyFigure(title, "no row has a rating and a score");
  }
  const size = sizeFor(panels.length);
  const { columns, width, height, gap } = size;
  const shown = sampled(
    rated,
    Math.min(most.inPanel, Math.floor(most.inAll / panels.length)),
    (places) => names.inOrderOfId(rows, places),
  );
  const headings = panels.map((panel) => headingOf(panel, width));
  const headingHeight = largestOf(headings.map(({ length }) => length)) * lineHeight + 14;
  const rowGap = headingHeight + 44;
  const lines = Math.ceil(panels.length / columns);
  const thinned =
    shown.length === rated.length
      ? []
      : [
          `Drawn: ${countText(shown.length)} of the ${countText(rated.length)} rated rows, by chance (seed ${seed}), the same for all.`,
        ];
  const notes = [
    "Scores and ratings as they are, not ranks.",
    "τ: Kendall's tau-b of all n rows, with its 95 % interval.",
    ...thinned,
  ];
  const total = lines * height + (lines - 1) * rowGap;
  const isFew = shown.length < 100;
  return {
    title,
    caption:
      `Each dot is a row: the metric's score and the value of ${conclusion.human}, the metric that follows it best first. ${thinned.join("")}`.trim(),
    spec: {
      description: title,
      ...viewsFrame(
        { width: columns * width + (columns - 1) * gap, height: total },
        {
          left,
          right: 24,
          top: headingHeight + 34,
          bottom: 44 + notes.length * noteHeight + 8,
        },
      ),
      spacing: { row: rowGap, column: gap },
      columns,
      concat: panels.map(({ at }, place) => {
        const heading = headings[place] ?? [];
        const points = Array.from(shown, (place) => ({
          human: human[place] ?? Number.NaN,
          score: ofMetrics[at]?.[place] ?? Number.NaN,
        })).filter(({ score }) => !Number.isNaN(score));
        const isFirst = place === 0;
        const axis = { format: ".4~g", tickCount: 4 };
        return {
          width,
          height,
          layer: [
            {
              data: { values: isFirst ? [{ y: -headingHeight - 14, text: title }] : [] },
              ...words("text", -left + 8, titleLook),
            },
            ...heading.map(({ text, ...look }, line) => ({
              data: {
                values: [{ text, y: -14 - (heading.length - 1 - line) * lineHeight }],
              },
              ...words("text", 0, { align: "left", ...look }),
            })),
            {
              data: { values: points },
              mark: {
                type: "point" as const,
                filled: true,
                size: isFew ? 36 : 16,
                opacity: isFew ? 0.75 : 0.35,
                color: palette.blue,
              },
              encoding: {
                x: {
                  field: "score",
                  type: "quantitative" as const,
                  scale: { zero: false, nice: true },
                  axis: { title: "score", ...axis },
                },
                y: {
                  field: "human",
                  type: "quantitative" as const,
                  scale: { zero: false, nice: true, domain: endsOf(picked(human, shown)) },
                  axis: {
                    title: place % columns === 0 ? fitted(conclusion.human, height, 12) : "",
                    ...axis,
                    minExtent: 44,
                    maxExtent: 44,
                  },
                },
              },
            },
            noteLines(place === (lines - 1) * columns ? notes : [], {
              x: 8 - left,
              y: height + 54,
            }),
          ],
        };
      }),
    },
  };
}

/** Correlations over groups: of these the table has no scatter, so they stand with their intervals. */
export function groupedCorrelationFigure(
  conclusion: CorrelationConclusion & { readonly groups: number; readonly seeds: number },
): Figure {
  const { human, groups, seeds } = conclusion;
  const title = `Correlation with ${human} over groups`;
  const metrics = byCorrelation(conclusion, Object.keys(conclusion.metrics));
  if (metrics.length === 0 || conclusion.n === 0) {
    return emptyFigure(title, "no row has people's counts and a score");
  }
  const [rho, tau] = series;
  const rows = metrics.flatMap(({ name, n, spearman, kendallTauB }) =>
    [
      { mark: rho, estimate: spearman },
      { mark: tau, estimate: kendallTauB },
    ].map(({ mark, estimate }) =>
      estimateRow({ band: "", name, series: mark.name, count: countText(n) }, estimate),
    ),
  );
  return {
    title,
    caption: `How well each metric's mean over a group follows people's counts in it: ${groups} groups, dealt ${seeds} times, the mean of these. Lines are 95 % intervals.`,
    ...intervalPlot({
      title,
      axisTitle: "correlation (−1 to 1), with its 95 % interval",
      axisFormat: ".1f",
      valueTitle: "value",
      rows,
      series,
      domain: [-1, 1],
      reference: { at: 0, name: "none" },
      notes: [`n: rows, dealt into ${groups} groups, ${seeds} times.`],
    }),
  };
}

const series = [
  { name: "Spearman's ρ", colour: palette.blue, shape: "circle", filled: true },
  { name: "Kendall's tau-b", colour: palette.vermilion, shape: "diamond", filled: false },
] as const;

/** By tau-b, as the verdict ranks them, the highest first; undefined ones last. */
function byCorrelation(
  { metrics }: CorrelationConclusion,
  places: readonly string[],
): readonly Named[] {
  const rank = ({ kendallTauB: { value } }: CorrelationMetric) => value ?? -2;
  return Object.entries(metrics)
    .map(([name, metric]) => ({ name, at: places.indexOf(name), ...metric }))
    .sort((a, b) => rank(b) - rank(a));
}

function headingOf({ name, n, unscored, kendallTauB }: Named, width: number) {
  const count = `n ${countText(n)}${unscored === 0 ? "" : `, ${countText(unscored)} unscored`}`;
  const tau =
    kendallTauB.value === null
      ? `τ undefined: ${kendallTauB.reason}`
      : `τ ${estimateText(kendallTauB)}`;
  return [
    ...wrapped(name, width, 12, 2).map((text) => ({ text, fontSize: 12, fontWeight: 600 })),
    ...wrapped(tau, width, 11, 2).map((text) => ({ text, fontSize: 11 })),
    { text: count, ...smallText },
  ];
}

/** So many of the rows, by chance; the order in which they come changes nothing. */
function sampled(
  places: Int32Array,
  count: number,
  inOrder: (places: Int32Array) => Int32Array,
): Int32Array {
  if (places.length <= count) return places;
  const shuffled = randomFrom(seed, "points of a plot").shuffle([...inOrder(places)]);
  return Int32Array.from(shuffled.slice(0, count));
}

const endsOf = (values: Float64Array): [number, number] => [smallestOf(values), largestOf(values)];

const ofMetrics = {
  name: "metrics",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;
const ofPeople = {
  name: "one rater, against the others",
  colour: palette.green,
  shape: "square",
  filled: true,
} as const;

/** How far each of several metrics follows people, in the statistic that the verdict ranks by, and how far one rater does. */
export function headlineFigure(found: ShownCorrelation): Figure {
  const { human, n, ceiling } = found;
  const title = `How far metrics follow ${human}`;
  if (n === 0) return emptyFigure(title, "no row has a rating and a score");
  const rows = rankedMetrics(found).map((metric) =>
    estimateRow(
      { band: "", name: metric.name, series: ofMetrics.name, count: countText(metric.n) },
      metric.kendallTauB,
    ),
  );
  const people =
    ceiling === undefined
      ? []
      : [
          estimateRow(
            { band: "", name: "one rater", series: ofPeople.name, count: countText(ceiling.n) },
            ceiling,
          ),
        ];
  return {
    title,
    caption:
      `Kendall's tau-b of each metric with ${human}, the one that follows it best first. Lines are 95 % intervals, each ` +
      "metric's by itself: whether two differ, the table of differences says.",
    ...intervalPlot({
      title,
      axisTitle: "Kendall's tau-b (−1 to 1), with its 95 % interval",
      axisFormat: ".1f",
      valueTitle: "value",
      rows: [...rows, ...people],
      series: [ofMetrics, ...(people.length === 0 ? [] : [ofPeople])],
      domain: [-1, 1],
      reference: { at: 0, name: "none" },
      notes: ["n: rows that people rated and the metric scored."],
    }),
  };
}
