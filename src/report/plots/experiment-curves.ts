import type { GridCurve } from "../../analysis/ensemble-experiment-tables.js";
import { methodLook } from "./experiment-methods.js";
import type { Figure } from "./figure.js";
import { viewsFrame, words } from "./marks.js";
import { palette } from "./palette.js";

const side = 250;
const gap = 58;
const legendLine = 18;
const margin = { left: 54, right: 20, top: 36, bottom: 50 };

/** Error over coverage, a panel for each number of labels, with bands: figure 3 of the paper. */
export function curvesFigure(
  curves: readonly GridCurve[],
  { name }: { readonly name: (method: string) => string },
): Figure {
  const labels = [...new Set(curves.map((curve) => curve.labels))];
  const methods = [...new Set(curves.map(({ method }) => method))];
  const prompts = curves[0]?.prompts ?? 0;
  const title = `Figure 3: error over coverage, ${prompts} prompts`;
  const highest = Math.max(
    0.01,
    ...curves.flatMap(({ points }) => points.map(({ error }) => error.high ?? error.value ?? 0)),
  );
  const columns = 2;
  const lines = Math.ceil(labels.length / columns);
  const panels = labels.map((count, at) => {
    const drawn = panel(curves, { count, methods, highest });
    // The legend hangs below the first panel of the last line.
    const isAbove = at === (lines - 1) * columns;
    return isAbove
      ? { ...drawn, layer: [...drawn.layer, ...legend(methods, name, side + 56)] }
      : drawn;
  });
  const below = methods.length * legendLine + 30;
  return {
    title,
    caption:
      "Wrong answers among the surest, from few of them to all; each line is the mean over draws of labels, its band the 95 % interval of that mean (bootstrap). Lower is better.",
    spec: {
      description: title,
      ...viewsFrame(
        {
          width: Math.min(columns, panels.length) * (side + gap) - gap,
          height: lines * (side + gap + 30) + below - gap,
        },
        margin,
      ),
      spacing: { row: gap + 30, column: gap },
      columns,
      concat: panels,
    },
  };
}

function panel(
  curves: readonly GridCurve[],
  {
    count,
    methods,
    highest,
  }: { readonly count: number; readonly methods: readonly string[]; readonly highest: number },
) {
  const x = {
    field: "coverage",
    type: "quantitative" as const,
    scale: { domain: [0, 1] },
    axis: {
      title: "coverage (%)",
      labelExpr: "format(datum.value * 100, '~g')",
      tickCount: 5,
      grid: false,
    },
  };
  const y = {
    type: "quantitative" as const,
    scale: { domain: [0, highest], nice: true },
    axis: {
      title: "wrong among them (%)",
      labelExpr: "format(datum.value * 100, '~g')",
      tickCount: 5,
      minExtent: 30,
      maxExtent: 30,
    },
  };
  const layers = methods.flatMap((method) => {
    const curve = curves.find((one) => one.method === method && one.labels === count);
    const values = (curve?.points ?? []).map(({ coverage, error }) => ({
      coverage,
      error: error.value,
      low: error.low ?? error.value,
      high: error.high ?? error.value,
    }));
    const { colour, dash, width } = methodLook(method);
    return [
      {
        data: { values },
        mark: { type: "area" as const, color: colour, opacity: 0.16 },
        encoding: { x, y: { field: "low", ...y }, y2: { field: "high" } },
      },
      {
        data: { values },
        mark: { type: "line" as const, color: colour, strokeDash: [...dash], strokeWidth: width },
        encoding: { x, y: { field: "error", ...y } },
      },
    ];
  });
  return {
    width: side,
    height: side,
    layer: [
      {
        data: { values: [{ y: -16, text: `${count} labels` }] },
        ...words("text", 0, { align: "left", fontSize: 13, fontWeight: 600 }),
      },
      ...layers,
    ],
  };
}

/** One method in a line, from `top` on: a stroke as in the plot, and its name. */
export function legend(methods: readonly string[], name: (method: string) => string, top: number) {
  const place = { type: "quantitative" as const, scale: null, axis: null };
  return methods.flatMap((method, at) => {
    const { colour, dash, width } = methodLook(method);
    const y = top + at * legendLine;
    return [
      {
        data: { values: [{ x: 0, to: 42, y }] },
        mark: { type: "rule" as const, color: colour, strokeDash: [...dash], strokeWidth: width },
        encoding: { x: { field: "x", ...place }, x2: { field: "to" }, y: { field: "y", ...place } },
      },
      {
        data: { values: [{ y, text: name(method) }] },
        ...words("text", 52, { align: "left", fontSize: 12, color: palette.ink }),
      },
    ];
  });
}
