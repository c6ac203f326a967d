import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import { viewsFrame, words } from "touchstone-t2i/internal/views/figures/marks.js";
import { legend, methodLook } from "./curves-plot.js";
import type { GridCell } from "./tables.js";

const side = 210;
const gap = 52;
/** Between panels that stand below one another: an axis, and the next one's title. */
const below = 88;
const margin = { left: 54, right: 24, top: 36, bottom: 20 };

/** Calibration error by number of labels, a panel for each number of prompts. */
export function labelsFigure(
  cells: readonly GridCell[],
  { name }: { readonly name: (method: string) => string },
): Figure {
  const errors = cells.filter(({ metric }) => metric === "ece");
  const prompts = [...new Set(errors.map((cell) => cell.prompts))];
  const methods = [...new Set(errors.map(({ method }) => method))];
  const highest = Math.max(
    0.01,
    largestOf(errors.map(({ estimate }) => estimate.high ?? estimate.value ?? 0)),
  );
  const title = "Calibration error by number of labels";
  const panels = (hasLegend: (at: number) => boolean) =>
    prompts.map((count, at) => ({
      width: side,
      height: side,
      layer: [
        {
          data: { values: [{ y: -16, text: `${count} prompts` }] },
          ...words("text", 0, { align: "left", fontSize: 13, fontWeight: 600 }),
        },
        ...methods.flatMap((method) => series(errors, { method, count, highest })),
        ...(hasLegend(at) ? legend(methods, name, side + 56) : []),
      ],
    }));
  const legendHeight = 56 + methods.length * 18;
  return {
    title,
    caption:
      "Expected calibration error of each method, the mean over draws of labels with its 95 % interval. Lower is better.",
    spec: {
      description: title,
      ...viewsFrame(
        { width: prompts.length * (side + gap) - gap, height: side + legendHeight },
        margin,
      ),
      spacing: gap,
      hconcat: panels((at) => at === 0),
    },
    narrow: {
      description: title,
      ...viewsFrame(
        { width: side + gap, height: prompts.length * (side + below) - below + legendHeight },
        margin,
      ),
      spacing: below,
      vconcat: panels((at) => at === prompts.length - 1),
    },
  };
}

function series(
  errors: readonly GridCell[],
  {
    method,
    count,
    highest,
  }: { readonly method: string; readonly count: number; readonly highest: number },
) {
  const values = errors
    .filter((cell) => cell.method === method && cell.prompts === count)
    .map(({ labels, estimate: { value, low, high } }) => ({ labels, value, low, high }));
  const x = {
    field: "labels",
    type: "quantitative" as const,
    scale: { type: "log" as const, domain: [4.5, 55], nice: false },
    axis: { title: "labels", values: [5, 10, 20, 50], grid: false },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [0, highest], nice: true },
    axis: { title: "ECE", tickCount: 5, minExtent: 30, maxExtent: 30 },
  };
  const { colour, dash, width } = methodLook(method);
  return [
    {
      data: { values },
      mark: { type: "line" as const, color: colour, strokeDash: [...dash], strokeWidth: width },
      encoding: { x, y: { field: "value", ...y } },
    },
    {
      data: { values },
      mark: { type: "rule" as const, color: colour, strokeWidth: 1.5 },
      encoding: { x, y: { field: "low", ...y }, y2: { field: "high" } },
    },
  ];
}
