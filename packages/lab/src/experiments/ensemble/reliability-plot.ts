import type { Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import { viewsFrame, words } from "touchstone-t2i/internal/views/figures/marks.js";
import { palette } from "touchstone-t2i/internal/views/figures/palette.js";
import { methodLook } from "./curves-plot.js";
import type { HeldOutMethod } from "./held-out.js";

const side = 150;
const gap = 46;
const columns = 4;
/** Bins of fewer answers would draw chance. */
const leastShare = 0.002;
const margin = { left: 46, right: 20, top: 44, bottom: 44 };

/** How often answers are right by how sure they are, a panel for each method. */
export function reliabilityFigure(
  methods: readonly HeldOutMethod[],
  { title, name }: { readonly title: string; readonly name: (method: string) => string },
): Figure {
  const lines = Math.ceil(methods.length / columns);
  return {
    title,
    caption:
      "Right answers by confidence, over all fits; points as large as their share of answers, those of fewer than 0.2 % left out. On the dashed line confidence means what it says; below it the method is surer than right.",
    spec: {
      description: title,
      ...viewsFrame(
        {
          width: Math.min(columns, methods.length) * (side + gap) - gap,
          height: lines * (side + gap + 28) - gap,
        },
        margin,
      ),
      spacing: { row: gap + 28, column: gap },
      columns,
      concat: methods.map((method) => panel(method, name(method.method))),
    },
  };
}

function panel({ method, reliability, metrics }: HeldOutMethod, name: string) {
  const total = reliability.n.reduce((sum, each) => sum + each, 0);
  const values = Array.from(reliability.n, (n, bin) => ({
    share: n / total,
    confidence: (reliability.confidence[bin] ?? 0) / n,
    accuracy: (reliability.right[bin] ?? 0) / n,
  })).filter(({ share }) => share >= leastShare);
  const axis = { labelExpr: "format(datum.value * 100, '~g')", tickCount: 3 };
  const x = {
    field: "confidence",
    type: "quantitative" as const,
    scale: { domain: [0.5, 1], nice: false },
    axis: { ...axis, title: "confidence (%)", grid: false },
  };
  const y = {
    field: "accuracy",
    type: "quantitative" as const,
    scale: { domain: [0, 1], nice: false },
    axis: { ...axis, title: "right (%)", minExtent: 26, maxExtent: 26 },
  };
  const { colour } = methodLook(method);
  const ece = metrics.ece.value;
  return {
    width: side,
    height: side,
    layer: [
      {
        data: { values: [{ y: -30, text: name }] },
        ...words("text", 0, { align: "left", fontSize: 12, fontWeight: 600 }),
      },
      {
        data: { values: [{ y: -15, text: ece === null ? "" : `ECE ${ece.toFixed(3)}` }] },
        ...words("text", 0, { align: "left", fontSize: 11, color: palette.muted }),
      },
      {
        data: {
          values: [
            { confidence: 0.5, accuracy: 0.5 },
            { confidence: 1, accuracy: 1 },
          ],
        },
        mark: { type: "line" as const, color: palette.muted, strokeDash: [4, 4], strokeWidth: 1 },
        encoding: { x, y },
      },
      {
        data: { values },
        mark: { type: "line" as const, color: colour, strokeWidth: 1.5 },
        encoding: { x, y },
      },
      {
        data: { values },
        mark: { type: "point" as const, filled: true, opacity: 1, color: colour },
        encoding: {
          x,
          y,
          size: {
            field: "share",
            type: "quantitative" as const,
            scale: { domain: [0, 1], range: [12, 260] },
            legend: null,
          },
        },
      },
    ],
  };
}
