import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import { viewsFrame, words } from "touchstone-t2i/internal/views/figures/marks.js";
import { palette } from "touchstone-t2i/internal/views/figures/palette.js";
import type { CoverageError } from "./resampled.js";

const side = 250;
const gap = 58;
const legendLine = 18;
const margin = { left: 54, right: 20, top: 36, bottom: 50 };

/** Methods that are compared in one panel. */
export interface CurvePanel {
  readonly title: string;
  readonly curves: readonly {
    readonly method: string;
    readonly points: readonly CoverageError[];
  }[];
}

/** Error over coverage, panel by panel, with bands: as figure 3 of the paper. */
export function curvesFigure(
  panels: readonly CurvePanel[],
  {
    title,
    caption,
    name,
  }: {
    readonly title: string;
    readonly caption: string;
    readonly name: (method: string) => string;
  },
): Figure {
  const all = panels.flatMap(({ curves }) => curves);
  const methods = [...new Set(all.map(({ method }) => method))];
  const highest = Math.max(
    0.01,
    largestOf(
      all.flatMap(({ points }) => points.map(({ error }) => error.high ?? error.value ?? 0)),
    ),
  );
  const columns = 2;
  const lines = Math.ceil(panels.length / columns);
  const drawn = panels.map((each, at) => {
    const one = panel(each, highest);
    // The legend hangs below the first panel of the last line.
    const isAbove = at === (lines - 1) * columns;
    return isAbove ? { ...one, layer: [...one.layer, ...legend(methods, name, side + 56)] } : one;
  });
  const below = methods.length * legendLine + 30;
  return {
    title,
    caption,
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
      concat: drawn,
    },
  };
}

function panel({ title, curves }: CurvePanel, highest: number) {
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
  const layers = curves.flatMap(({ method, points }) => {
    const values = points.map(({ coverage, error }) => ({
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
        data: { values: [{ y: -16, text: title }] },
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

/** How a method's line looks: by its kind, told apart by dashes as well as by colour. */
export interface MethodLook {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly width: number;
}

const looks: Readonly<Record<string, MethodLook>> = {
  standard: { colour: palette.muted, dash: [2, 3], width: 1.5 },
  best: { colour: palette.ink, dash: [6, 3], width: 1.5 },
  average: { colour: palette.green, dash: [10, 3, 2, 3], width: 2 },
  bpe: { colour: palette.blue, dash: [7, 4], width: 2 },
  mmb: { colour: palette.vermilion, dash: [], width: 2.5 },
};
const objectiveDashes: Readonly<Record<string, readonly number[]>> = {
  "global-entropy": [5, 3],
  "balanced-entropy": [2, 2],
  mixture: [9, 3, 2, 3],
};

/** Dashes of each objective of BPE; as printed it has longer ones. */
const objectiveDots: Readonly<Record<string, readonly number[]>> = {
  "per-sample-entropy": [2, 2],
  "global-entropy": [4, 2],
  "balanced-entropy": [1, 3],
  mixture: [9, 3, 2, 3],
};

/** The look of "mmb global-entropy" and the like. */
export function methodLook(method: string): MethodLook {
  const [kind = "", objective = ""] = method.split(" ");
  const look = looks[kind] ?? { colour: palette.ink, dash: [], width: 1.5 };
  const dash =
    kind === "bpe" && objective !== "" ? objectiveDots[objective] : objectiveDashes[objective];
  return dash === undefined ? look : { ...look, dash };
}
