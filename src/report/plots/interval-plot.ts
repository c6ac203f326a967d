import type { TopLevelSpec } from "vega-lite";
import { palette, plotConfig } from "./palette.js";
import { type IntervalRow, placeRows } from "./place-rows.js";

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
  readonly rows: readonly IntervalRow[];
  readonly series: readonly SeriesMark[];
  readonly domain: readonly [low: number, high: number];
  /** A dashed line to compare with, such as no effect at 0. */
  readonly reference?: { readonly at: number; readonly name: string };
  /** `d3-format` of the axis labels. */
  readonly axisFormat: string;
}

const plotWidth = 390;
const margin = { left: 206, right: 124, top: 60, bottom: 44 };
const legendLine = 18;
const leftEdge = -margin.left + 4;
const valueEdge = plotWidth + 68;
const countEdge = plotWidth + margin.right - 4;

/**
 * Estimates with intervals as dots on lines: bands below one another, in each a block per name,
 * in each block a row per series, each row with its value and n at the right. Places are computed
 * here and not by facets, so that every label has its room whatever font draws it.
 */
export function intervalPlot(plot: IntervalPlot): TopLevelSpec {
  const names = plot.series.map(({ name }) => name);
  const { rows, bands, blocks, rules, height } = placeRows(plot.rows, names);
  const legend = names.length > 1 ? legendPlaces(plot.series) : [];
  const reference = plot.reference === undefined ? [] : [{ ...plot.reference, y: -12 }];
  const legendHeight = legend.length * legendLine;
  const headings = [
    { x: valueEdge, y: -12, text: plot.valueTitle },
    { x: countEdge, y: -12, text: "n" },
  ];

  const y = { field: "y", type: "quantitative", scale: null, axis: null } as const;
  const x = {
    type: "quantitative" as const,
    scale: { domain: [...plot.domain], nice: false, clamp: true },
    axis: { title: plot.axisTitle, format: plot.axisFormat, tickCount: 6 },
  };
  const place = { field: "x", type: "quantitative", scale: null, axis: null } as const;
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
  const words = (field: string, at: number, look: object) => ({
    mark: { type: "text" as const, baseline: "middle" as const, color: palette.ink, ...look },
    encoding: { x: { value: at }, y, text: { field, type: "nominal" as const } },
  });
  const small = { fontSize: 11, color: palette.muted };

  return {
    description: `${plot.title}; ${plot.axisTitle}`,
    width: plotWidth,
    height,
    autosize: { type: "none" },
    padding: { ...margin, top: margin.top + legendHeight },
    config: plotConfig,
    layer: [
      {
        data: { values: [{ y: -44 - legendHeight, text: plot.title }] },
        ...words("text", leftEdge, { align: "left", fontSize: 14, fontWeight: 600 }),
      },
      { data: { values: legend }, mark: point, encoding: { x: place, y, ...symbol } },
      {
        data: { values: legend.map((entry) => ({ ...entry, x: entry.x + 10 })) },
        mark: { type: "text", baseline: "middle", align: "left", color: palette.ink, fontSize: 12 },
        encoding: { x: place, y, text: { field: "series", type: "nominal" } },
      },
      {
        data: { values: headings },
        mark: { type: "text", baseline: "middle", align: "right", ...small },
        encoding: { x: place, y, text: { field: "text", type: "nominal" } },
      },
      {
        data: { values: rules },
        mark: { type: "rule", color: palette.grid },
        encoding: { x: { value: leftEdge }, x2: { value: countEdge }, y },
      },
      { data: { values: bands }, ...words("band", leftEdge, { align: "left", fontWeight: 600 }) },
      { data: { values: blocks }, ...words("name", leftEdge, { align: "left", fontSize: 12 }) },
      {
        data: { values: blocks.map((block) => ({ ...block, y: block.y + 14 })) },
        ...words("under", leftEdge, { align: "left", ...small }),
      },
      {
        data: { values: reference },
        mark: { type: "rule", color: palette.muted, strokeDash: [3, 3] },
        encoding: { x: { field: "at", ...x } },
      },
      {
        data: { values: reference },
        mark: { type: "text", baseline: "middle", ...small },
        encoding: { y, x: { field: "at", ...x }, text: { field: "name", type: "nominal" } },
      },
      ...[false, true].map((isBound) => ({
        data: { values: rows.filter((row) => (row.isBound ?? false) === isBound) },
        mark: {
          type: "rule" as const,
          ...(isBound ? { strokeWidth: 1.2, strokeDash: [2, 3] } : { strokeWidth: 2 }),
        },
        encoding: { y, x: { field: "low", ...x }, x2: { field: "high" }, color: symbol.color },
      })),
      {
        data: { values: rows },
        mark: point,
        encoding: { y, x: { field: "value", ...x }, ...symbol },
      },
      {
        data: { values: rows },
        ...words("label", valueEdge, { align: "right", fontSize: 11 }),
      },
      {
        data: { values: rows },
        ...words("count", countEdge, { align: "right", ...small }),
      },
    ],
  };
}

/** The legend below the title, a line for each series: a narrow page shows only the left side. */
function legendPlaces(series: readonly SeriesMark[]) {
  return series.map(({ name }, at) => ({
    x: leftEdge + 6,
    y: -36 - (series.length - 1 - at) * legendLine,
    series: name,
  }));
}
