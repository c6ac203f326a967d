import type { Figure } from "../../views/figures/figure.js";

/** A figure as the report draws it: SVG files for light and dark, on a wide page and on a narrow one. */
export interface DrawnFigure {
  readonly title: string;
  readonly caption: string;
  readonly svg: string;
  readonly narrow?: string | undefined;
}

/** Draws a figure. What draws is loaded when it is first needed: it takes long. */
export async function drawnFigure({ title, caption, spec, narrow }: Figure): Promise<DrawnFigure> {
  const { svgFileOf } = await import("./svg.js");
  return {
    title,
    caption,
    svg: await svgFileOf(spec),
    ...(narrow === undefined ? {} : { narrow: await svgFileOf(narrow) }),
  };
}
