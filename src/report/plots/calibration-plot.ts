import type { CalibrationConclusion } from "../../analysis/calibration/calibration.js";
import { wilsonInterval } from "../../stats/wilson-interval.js";
import { countText, estimateText, pluralText } from "../text/number-text.js";
import { emptyFigure, type Figure } from "./figure.js";
import { noteHeight, noteLines, smallText, viewsFrame, words } from "./marks.js";
import { palette } from "./palette.js";
import { textWidth } from "./text-width.js";

const title = "Whether the probabilities can be believed";
const side = 290;
const gap = 70;
/** Room for the counts below the reliability diagram. */
const strip = 64;
const height = side + strip;
const margin = { left: 60, right: 20, top: 62, bottom: 48 };
/** Between the two where they stand below one another: an axis, and the next one's title. */
const below = 110;
/** A line of more steps would look the same. */
const mostSteps = 1000;
const countSize = 10;

/** The reliability diagram with its counts, and beside it error over coverage. */
export function calibrationFigure(conclusion: CalibrationConclusion): Figure {
  const { n, unscored } = conclusion;
  if (n === 0) return emptyFigure(title, "no row has a label and a probability");
  const sizes = conclusion.bins.flatMap((bin) => (bin.n === 0 ? [] : [bin.n]));
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)].map(countText);
  const inBins = fewest === most ? `${most} in each bin` : `${fewest} to ${most} in a bin`;
  const missing = unscored === 0 ? "" : ` Unscored and in neither: ${pluralText(unscored, "row")}.`;
  const notes = [
    `n ${countText(n)}, ${inBins} (grey bars).${missing}`,
    "Left: below the dashed line answers are overconfident, less often right than sure. Lines: 95 % intervals.",
    "Right: how many are wrong of the answers that are left when the least sure are withheld.",
  ];
  return {
    title,
    caption:
      "Reliability: how often answers are right, by how sure they were, in bins of confidence with the number of answers below. On the dashed line they can be believed; below it they are overconfident. Error over coverage: the share of wrong answers when only the surest are given, from few of them to all.",
    narrow: {
      description: title,
      ...viewsFrame(
        { width: side, height: 2 * height + below },
        { ...margin, left: 48, right: 32 },
      ),
      spacing: below,
      vconcat: [reliability(conclusion, []), errorOverCoverage(conclusion)],
    },
    spec: {
      description: title,
      ...viewsFrame(
        { width: 2 * side + gap, height },
        { ...margin, bottom: margin.bottom + notes.length * noteHeight + 6 },
      ),
      spacing: gap,
      hconcat: [reliability(conclusion, notes), errorOverCoverage(conclusion)],
    },
  };
}

const shareAxis = { labelExpr: "format(datum.value * 100, '~g')", tickCount: 5 } as const;
const heading = (name: string, value: string) => [
  {
    data: { values: [{ y: -44, text: name }] },
    ...words("text", 0, { align: "left", fontSize: 14, fontWeight: 600 }),
  },
  {
    data: { values: [{ y: -24, text: value }] },
    ...words("text", 0, { align: "left", fontSize: 12 }),
  },
];

function reliability({ bins, intervalsOf }: CalibrationConclusion, notes: readonly string[]) {
  const filled = bins.flatMap(({ low, high, n, accuracy, confidence }) => {
    if (accuracy === null || confidence === null) return [];
    const interval = wilsonInterval(Math.round(accuracy * n), n);
    return [{ low, high, n, accuracy, confidence, from: interval.low, to: interval.high }];
  });
  // The surer of two answers has at least 0.5; the bin that ends there holds ties alone.
  const lowest = filled.some(({ high }) => high <= 0.5) ? 0.4 : 0.5;
  const largest = Math.max(...filled.map(({ n }) => n));
  const counts = filled.map(({ n, high, ...bin }) => {
    const low = Math.max(lowest, bin.low);
    const top = height - Math.max(1, ((strip - 30) * n) / largest);
    const room = ((high - low) / (1 - lowest)) * side - 2;
    const text = textWidth(countText(n), countSize) <= room ? countText(n) : "";
    return {
      low,
      high,
      bottom: height,
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
    scale: { domain: [0, 1], range: [side, 0], nice: false },
    axis: { title: "answers that are right (%)", ...shareAxis, minExtent: 34, maxExtent: 34 },
  };
  const pixels = { type: "quantitative" as const, scale: null, axis: null };
  return {
    width: side,
    height,
    resolve: { scale: { y: "independent" as const } },
    layer: [
      ...heading(
        "Reliability",
        `expected calibration error (ECE) ${estimateText(intervalsOf.ece)}`,
      ),
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
      noteLines(notes, { x: 8 - margin.left, y: height + margin.bottom + 8 }),
    ],
  };
}

function errorOverCoverage({ coverage, intervalsOf }: CalibrationConclusion) {
  const every = Math.ceil(coverage.length / mostSteps);
  const steps = coverage.filter((_, at) => at === coverage.length - 1 || at % every === 0);
  const last = steps.at(-1);
  const end = last === undefined ? [] : [last];
  const highest = Math.max(0.05, ...steps.map(({ error }) => error));
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
    width: side,
    height,
    layer: [
      ...heading(
        "Error over coverage",
        `area under it ${estimateText(intervalsOf.errorCoverageArea)}`,
      ),
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
            text: `all ${(point.error * 100).toFixed(1)} %`,
          })),
        },
        mark: {
          type: "text" as const,
          align: "right" as const,
          baseline: "bottom" as const,
          dy: -7,
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
