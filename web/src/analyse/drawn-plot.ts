import { expressionInterpreter } from "vega-interpreter";
import { svgFileOf } from "../../../src/report/drawing/svg.js";
import type { Figure } from "../../../src/views/figures/figure.js";
import type { DrawnPlot } from "./analysis.js";

/** Draws a figure; by itself, since it takes in more than all else that analyses. */
export const drawnPlot = async ({ spec, narrow, title, caption }: Figure): Promise<DrawnPlot> => ({
  svg: await svgFileOf(spec, expressionInterpreter),
  narrow: narrow && (await svgFileOf(narrow, expressionInterpreter)),
  description: spec.description ?? title,
  caption,
});
