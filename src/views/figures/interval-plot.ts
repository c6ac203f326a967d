import { largestOf } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import { fixedText } from "../number-text.js";
import type { Drawing } from "./figure.js";
import {
  type Layers,
  noteHeight,
  noteLines,
  placedWords,
  smallText,
  titleLook,
  viewsFrame,
  words,
  xPlace,
  yPlace,
} from "./marks.js";
import { palette, plotConfig } from "./palette.js";
import {
  type IntervalRow,
  type MissingRow,
  placeRows,
  type RowPlace,
  rowHeight,
} from "./place-rows.js";
import { fitted, wrapped } from "./text-width.js";

/** How a series is told apart: by shape and filling as well as by colour. */
export interface SeriesMark {
  readonly name: string;
  readonly colour: string;
  readonly shape: "circle" | "diamond" | "square" | "triangle-up";
  readonly filled: boolean;
}

export interface IntervalPlot {
  readonly title: string;
  /** With the unit. */
  readonly axisTitle: string;
  /** Above the values at the right. */
  readonly valueTitle: string;
  /** How much room the values need, in pixels. */
  readonly valueWidth?: number;
  /** How much room the counts need where they name their unit, in pixels. */
  readonly countWidth?: number;
  readonly rows: readonly (IntervalRow | MissingRow)[];
  readonly series: readonly SeriesMark[];
  readonly domain: readonly [low: number, high: number];
  /** A dashed line to compare with, such as no effect at 0. */
  readonly reference?: { readonly at: number; readonly name: string };
  /** `d3-format` of the axis labels. */
  readonly axisFormat: string;
  /** Small lines below the axis: what a reader must know. */
  readonly notes?: readonly string[];
}

/** How the room is shared out, in pixels. */
interface Layout {
  /** Left of the axis. */
  readonly left: number;
  /** From the axis' left to the right edge. */
  readonly right: number;
  readonly countWidth: number;
  /** Where names stand above their rows: how wide they may be. */
  readonly headingWidth?: number;
  /** Whether others stand above or below it, each with an axis. */
  readonly isAmongOthers?: boolean;
}

const wide: Layout = { left: 206, right: 514, countWidth: 56 };
/** For a telephone: 350 pixels in all, and no text smaller than in the other. */
const narrow: Layout = { left: 10, right: 340, countWidth: 46, headingWidth: 338 };

const margin = { top: 60, bottom: 44 };
const legendLine = 18;

/**
 * Estimates with intervals as dots on lines: bands below one another, in each a block per name,
 * in each block a row per series, each row with its value and n at the right. What is undefined has
 * its reason in place of a dot. Places are computed here and not by facets, so that every label has
 * its room whatever font draws it.
 */
export function intervalPlot(plot: IntervalPlot): Drawing {
  const drawn = (layout: Layout) => {
    const { above, below, width, height, ...view } = intervalView(plot, layout);
    return {
      description: `${plot.title}; ${plot.axisTitle}`,
      width,
      height,
      ...view,
      autosize: { type: "none" as const },
      padding: { left: layout.left, right: layout.right - width, top: above, bottom: below },
      config: plotConfig,
    };
  };
  return { spec: drawn(wide), narrow: drawn(narrow) };
}

/** Several of them below one another, each with a title and an axis of its own. */
export function intervalPlots(title: string, plots: readonly IntervalPlot[]): Drawing {
  const drawn = (layout: Layout) => {
    const views = plots.map((plot) => intervalView(plot, { ...layout, isAmongOthers: true }));
    const [above = 0] = views.map((view) => view.above);
    const gap = Math.max(largestOf(views.map((view) => view.above + view.below)), 0);
    const heights = views.reduce((sum, { height }) => sum + height, 0);
    return {
      description: [title, ...plots.map((plot) => plot.title)].join("; "),
      ...viewsFrame(
        { width: layout.right, height: heights + gap * (views.length - 1) },
        { left: layout.left, right: 0, top: above, bottom: gap - above },
      ),
      spacing: gap,
      vconcat: views.map(({ width, height, layer }) => ({ width, height, layer })),
    };
  };
  return { spec: drawn(wide), narrow: drawn(narrow) };
}

/** One view, and how far it reaches above and below its own height. */
function intervalView(plot: IntervalPlot, layout: Layout) {
  const { headingWidth } = layout;
  const leftEdge = 4 - layout.left;
  const names = plot.series.map(({ name }) => name);
  const { rows, bands, blocks, unders, rules, height } = placeRows(plot.rows, names, {
    headingWidth,
  });
  const drawn = rows.flatMap((row) => ("value" in row ? [row] : []));
  const missing = rows.flatMap((row) => ("reason" in row ? [row] : []));
  const legendLines = names.length > 1 ? plot.series : [];
  const legendHeight = legendLines.length * legendLine;
  const ends = margin.top + legendHeight + margin.bottom;
  const isLong = layout.isAmongOthers !== true && height + ends > mostSeen;
  /** What stands above the rows leaves the second axis its room. */
  const top = isLong ? -topAxis : 0;
  const legend = legendLines.map(({ name }, at) => ({
    x: leftEdge + 6,
    y: top - 36 - (legendLines.length - 1 - at) * legendLine,
    series: name,
  }));
  const reference = plot.reference === undefined ? [] : [{ ...plot.reference, y: top - 12 }];
  // Where names stand above their rows, the line leaves them free.
  const stretches =
    headingWidth === undefined
      ? [{ y: 0, y2: height }]
      : rows.map(({ y }) => ({ y: y - rowHeight / 2, y2: y + rowHeight / 2 }));
  const lines = (text: string, fontSize: number) =>
    headingWidth === undefined ? [text] : wrapped(text, headingWidth, fontSize, mostLines);
  const titles = lines(plot.title, titleLook.fontSize);
  // Below a short axis its title would be wider than the picture.
  const isAxisTitled = headingWidth === undefined;
  const bottom = isAxisTitled ? margin.bottom : margin.bottom - 16;
  const notes = [...(isAxisTitled ? [] : [plot.axisTitle]), ...(plot.notes ?? [])].flatMap((note) =>
    lines(note, smallText.fontSize),
  );
  const valueWidth = plot.valueWidth ?? 68;
  const width = layout.right - valueWidth - (plot.countWidth ?? layout.countWidth);
  const valueEdge = width + valueWidth;
  const countEdge = layout.right - 4;
  const headings = [
    { x: valueEdge, y: top - 12, text: plot.valueTitle },
    { x: countEdge, y: top - 12, text: "n" },
  ];
  // On a telephone nothing is left of the axis to hold half of a word.
  const [least, most] = plot.domain;
  const isAtLeft = plot.reference !== undefined && plot.reference.at - least < (most - least) / 5;
  const referenceAlign = headingWidth !== undefined && isAtLeft ? "left" : "center";
  const axis = {
    title: isAxisTitled ? plot.axisTitle : null,
    format: plot.axisFormat,
    tickCount: 6,
    // On a telephone a label at an end has no room beyond it.
    ...(isAxisTitled ? {} : { labelFlush: 14 }),
  };
  const x = {
    type: "quantitative" as const,
    scale: { domain: [...plot.domain], nice: false, clamp: true },
    axis: isLong ? null : axis,
  };
  const axes = isLong ? [axis, { ...axis, title: null, orient: "top" as const }] : [];
  const bySeries = (range: readonly string[]) =>
    ({
      field: "series",
      type: "nominal",
      scale: { domain: names, range: [...range] },
      legend: null,
    }) as const;
  const symbol = {
    color: bySeries(plot.series.map(({ colour }) => colour)),
    shape: bySeries(plot.series.map(({ shape }) => shape)),
    fill: bySeries(plot.series.map(({ colour, filled }) => (filled ? colour : palette.paper))),
  };
  const point = { type: "point", size: 62, opacity: 1, strokeWidth: 1.8 } as const;

  const layer: Layers = [
    {
      data: {
        values: titles.map((text, at) => ({
          y: top - 44 - legendHeight - (titles.length - 1 - at) * titleLine,
          text,
        })),
      },
      ...words("text", leftEdge, titleLook),
    },
    ...axes.map((one) => ({
      data: { values: [{ at: least }] },
      mark: { type: "rule" as const, color: palette.grid, opacity: 0 },
      encoding: { x: { field: "at", ...x, axis: one } },
    })),
    { data: { values: legend }, mark: point, encoding: { x: xPlace, y: yPlace, ...symbol } },
    {
      data: { values: legend.map((entry) => ({ ...entry, x: entry.x + 10, text: entry.series })) },
      ...placedWords({ align: "left", fontSize: 12 }),
    },
    { data: { values: headings }, ...placedWords({ align: "right", ...smallText }) },
    {
      data: { values: rules },
      mark: { type: "rule", color: palette.grid },
      encoding: { x: { value: leftEdge }, x2: { value: countEdge }, y: yPlace },
    },
    { data: { values: bands }, ...words("band", leftEdge, { align: "left", fontWeight: 600 }) },
    { data: { values: blocks }, ...words("name", leftEdge, { align: "left", fontSize: 12 }) },
    { data: { values: unders }, ...words("under", leftEdge, { align: "left", ...smallText }) },
    {
      data: {
        values: reference.flatMap(({ at }) => stretches.map((stretch) => ({ at, ...stretch }))),
      },
      mark: { type: "rule", color: palette.muted, strokeDash: [3, 3] },
      encoding: { x: { field: "at", ...x }, y: yPlace, y2: { field: "y2" } },
    },
    {
      data: { values: reference },
      mark: { type: "text", baseline: "middle", align: referenceAlign, ...smallText },
      encoding: { y: yPlace, x: { field: "at", ...x }, text: { field: "name", type: "nominal" } },
    },
    ...[false, true].map((isBound) => ({
      data: { values: drawn.filter((row) => (row.isBound ?? false) === isBound) },
      mark: {
        type: "rule" as const,
        ...(isBound ? { strokeWidth: 1.2, strokeDash: [2, 3] } : { strokeWidth: 2 }),
      },
      encoding: {
        y: yPlace,
        x: { field: "low", ...x },
        x2: { field: "high" },
        color: symbol.color,
      },
    })),
    {
      data: { values: drawn },
      mark: point,
      encoding: { y: yPlace, x: { field: "value", ...x }, ...symbol },
    },
    {
      data: {
        values: missing.map(({ y, reason }) => ({
          y,
          text: fitted(`undefined: ${reason}`, width - 12, smallText.fontSize),
        })),
      },
      ...words("text", 6, { align: "left", ...smallText }),
    },
    { data: { values: rows }, ...words("label", valueEdge, { align: "right", fontSize: 11 }) },
    { data: { values: rows }, ...words("count", countEdge, { align: "right", ...smallText }) },
    noteLines(notes, { x: leftEdge, y: height + bottom + 6 }),
  ];
  const above = margin.top - top + legendHeight + (titles.length - 1) * titleLine;
  const below = bottom + (notes.length === 0 ? 0 : notes.length * noteHeight + 4);
  // Each of two axes belongs to a layer of its own.
  const resolve = isLong ? { resolve: { axis: { x: "independent" as const } } } : {};
  return { width, height, layer, ...resolve, above, below };
}

const titleLine = 18;
const mostLines = 4;

/** Pixels of a picture that a page shows at once (`.look .plot`): a longer one has its axis above it, too. */
const mostSeen = 530;
const topAxis = 22;

/** Note in a plot's caption about the lines that are no intervals. */
export const dashNote =
  "Where none fails, or all do, a dotted line goes to the one-sided 95 % bound in place of an interval.";

const boundNote =
  "At 0 or 100 % a dotted line goes to the one-sided 95 % bound in place of an interval.";

const bareDotNote = "A dot without a line: the data give no interval.";

/** A share, or a difference of shares, as a plot draws it in percent; undefined ones are not drawn. */
export function percentLine({
  value,
  low,
  high,
  oneSided,
}: Estimate): Pick<IntervalRow, "value" | "low" | "high" | "isBound"> | undefined {
  if (value === null) return undefined;
  const line = oneSided ?? { low: low ?? value, high: high ?? value };
  return {
    value: value * 100,
    low: line.low * 100,
    high: line.high * 100,
    isBound: oneSided !== undefined,
  };
}

/** A share as a row of a plot in percent, with its value in words; one that is undefined says why. */
export function percentRow(
  place: Omit<RowPlace, "label">,
  estimate: Estimate,
): IntervalRow | MissingRow {
  const line = percentLine(estimate);
  return line === undefined
    ? { ...place, label: "–", reason: estimate.reason ?? "it is 0 / 0" }
    : { ...place, ...line, label: `${fixedText(line.value, 1)} %` };
}

/** Notes below rows about the lines that some of them have, or lack. */
export function lineNotes(rows: readonly (IntervalRow | MissingRow)[]): string[] {
  const drawn = rows.flatMap((row) => ("value" in row ? [row] : []));
  return [
    ...(drawn.some(({ isBound }) => isBound) ? [boundNote] : []),
    ...(drawn.some(({ low, high }) => low === high) ? [bareDotNote] : []),
  ];
}
