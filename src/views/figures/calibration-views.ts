import { largestOf } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ReliabilityBin } from "../../stats/reliability-bins.js";
import { wilsonInterval } from "../../stats/share-interval.js";
import { countText, estimateText } from "../number-text.js";
import { noteLines, smallText, words } from "./marks.js";
import { palette } from "./palette.js";
import { textWidth } from "./text-width.js";

/** Pixels of a view's side. */
export const viewSide = 290;
/** Room for the counts below the reliability diagram. */
const strip = 64;
export const viewHeight = viewSide + strip;
/** Around a view; on the right stands what is wrong of all answers. */
export const viewMargin = { left: 60, right: 55, top: 62, bottom: 48 };
/** A line of more steps would look the same. */
const mostSteps = 1000;
const countSize = 10;

const shareAxis = { labelExpr: "format(datum.value * 100, '~g')", tickCount: 5 } as const;
/** From the left of the axis on, so that a long value has its room on a telephone. */
const headingAt = -38;

const heading = (name: string, value: string) => [
  {
    data: { values: [{ y: -44, text: name }] },
    ...words("text", headingAt, { align: "left", fontSize: 14, fontWeight: 600 }),
  },
  {
    data: { values: [{ y: -24, text: value }] },
    ...words("text", headingAt, { align: "left", fontSize: 12 }),
  },
];

/** How often answers are right, by how sure they were, with the number of answers below. */
export function reliabilityView(
  { bins, ece }: { readonly bins: readonly ReliabilityBin[]; readonly ece: Estimate },
  notes: readonly string[] = [],
) {
  const filled = bins.flatMap(({ low, high, n, accuracy, confidence }) => {
    if (accuracy === null || confidence === null) return [];
    const interval = wilsonInterval(Math.round(accuracy * n), n);
    return [{ low, high, n, accuracy, confidence, from: interval.low, to: interval.high }];
  });
  // The surer of two answers has at least 0.5; the bin that ends there holds ties alone.
  const lowest = filled.some(({ high }) => high <= 0.5) ? 0.4 : 0.5;
  const largest = largestOf(filled.map(({ n }) => n));
  const counts = filled.map(({ n, high, ...bin }) => {
    const low = Math.max(lowest, bin.low);
    const top = viewHeight - Math.max(1, ((strip - 30) * n) / largest);
    const room = ((high - low) / (1 - lowest)) * viewSide - 2;
    const text = textWidth(countText(n), countSize) <= room ? countText(n) : "";
    return {
      low,
      high,
      bottom: viewHeight,
      top,
      y: top - 8,
      text,
      middle: (low + high) / 2,
    };
  });
  const x = {
    type: "quantitative" as const,
    scale: { domain: [lowest, 1], nice: false },
    // Its lines would not reach the top: the scale above the counts is shorter than the view.
    axis: { title: "confidence in the answer (%)", ...shareAxis, grid: false },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [0, 1], range: [viewSide, 0], nice: false },
    axis: { title: "answers that are right (%)", ...shareAxis, minExtent: 34, maxExtent: 34 },
  };
  const pixels = { type: "quantitative" as const, scale: null, axis: null };
  return {
    width: viewSide,
    height: viewHeight,
    resolve: { scale: { y: "independent" as const } },
    layer: [
      ...heading("Reliability", `expected calibration error (ECE) ${estimateText(ece)}`),
      {
        data: { values: [{ confidence: lowest, accuracy: lowest, to: 1 }] },
        mark: { type: "rule" as const, color: palette.muted, strokeDash: [4, 4] },
        encoding: {
          x: { field: "confidence", ...x },
          x2: { field: "to" },
          y: { field: "accuracy", ...y },
          y2: { field: "to" },
        },
      },
      {
        data: { values: filled },
        mark: { type: "rule" as const, color: palette.blue, strokeWidth: 2 },
        encoding: {
          x: { field: "confidence", ...x },
          y: { field: "from", ...y, axis: null },
          y2: { field: "to" },
        },
      },
      {
        data: { values: filled },
        mark: { type: "point" as const, filled: true, size: 62, opacity: 1, color: palette.blue },
        encoding: { x: { field: "confidence", ...x }, y: { field: "accuracy", ...y, axis: null } },
      },
      {
        data: { values: counts },
        mark: {
          type: "rect" as const,
          fill: palette.muted,
          fillOpacity: 0.4,
          stroke: palette.paper,
        },
        encoding: {
          x: { field: "low", ...x },
          x2: { field: "high" },
          y: { field: "bottom", ...pixels },
          y2: { field: "top" },
        },
      },
      {
        data: { values: counts },
        mark: {
          type: "text" as const,
          baseline: "middle" as const,
          ...smallText,
          fontSize: countSize,
        },
        encoding: {
          x: { field: "middle", ...x },
          y: { field: "y", ...pixels },
          text: { field: "text", type: "nominal" as const },
        },
      },
      noteLines(notes, { x: 8 - viewMargin.left, y: viewHeight + viewMargin.bottom + 8 }),
    ],
  };
}

/** One point for each confidence from which on answers are given. */
interface CoveragePoint {
  readonly coverage: number;
  readonly error: number;
}

/** The share of wrong answers when only the surest are given, from few of them to all. */
export function errorCoverageView(coverage: readonly CoveragePoint[], subtitle: string) {
  const every = Math.ceil(coverage.length / mostSteps);
  const steps = coverage.filter((_, at) => at === coverage.length - 1 || at % every === 0);
  const last = steps.at(-1);
  const end = last === undefined ? [] : [last];
  const highest = Math.max(0.05, largestOf(steps.map(({ error }) => error)));
  const x = {
    type: "quantitative" as const,
    scale: { domain: [0, 1], nice: false },
    axis: { title: "coverage: answers given (%), the surest first", ...shareAxis },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [0, Math.min(1, highest * 1.1)], nice: true },
    axis: { title: "wrong among them (%)", ...shareAxis, minExtent: 34, maxExtent: 34 },
  };
  const first = steps[0];
  // From coverage 0 to the first threshold the line is as high as there.
  const line = first === undefined ? [] : [{ coverage: 0, error: first.error }, ...steps];
  return {
    width: viewSide,
    height: viewHeight,
    layer: [
      ...heading("Error over coverage", subtitle),
      {
        data: { values: end },
        mark: { type: "rule" as const, color: palette.muted, strokeDash: [4, 4] },
        encoding: { y: { field: "error", ...y } },
      },
      {
        data: { values: line },
        mark: {
          type: "line" as const,
          interpolate: "step-before" as const,
          color: palette.vermilion,
          strokeWidth: 2,
        },
        encoding: { x: { field: "coverage", ...x }, y: { field: "error", ...y } },
      },
      {
        data: { values: end },
        mark: {
          type: "point" as const,
          filled: true,
          size: 62,
          opacity: 1,
          color: palette.vermilion,
        },
        encoding: { x: { field: "coverage", ...x }, y: { field: "error", ...y } },
      },
      {
        data: {
          values: end.map((point) => ({
            ...point,
            text: `${(point.error * 100).toFixed(1)} %`,
          })),
        },
        mark: {
          type: "text" as const,
          // Beside the view, where no line of a threshold crosses it.
          align: "left" as const,
          baseline: "middle" as const,
          dx: 5,
          ...smallText,
        },
        encoding: {
          x: { field: "coverage", ...x },
          y: { field: "error", ...y },
          text: { field: "text", type: "nominal" as const },
        },
      },
    ],
  };
}
