import type { TopLevelSpec } from "vega-lite";
import { palette, plotConfig } from "./palette.js";

export type { TopLevelSpec };

/** A picture, and the same for a narrow page. */
export interface Drawing {
  readonly spec: TopLevelSpec;
  /** Some 350 pixels wide, with texts as large; a page without it scrolls the other. */
  readonly narrow?: TopLevelSpec | undefined;
}

/** A conclusion as a picture: for a page, where the caption stands below it, or a file of its own. */
export interface Figure extends Drawing {
  readonly title: string;
  /** How to read it, a sentence or two. */
  readonly caption: string;
}

/** Where there is nothing to draw, a picture that says why. */
export function emptyFigure(title: string, reason: string): Figure {
  const text = `Nothing to draw: ${reason}.`;
  const line = (y: number, words: string, look: object) => ({
    data: { values: [{ y, words }] },
    mark: { type: "text" as const, align: "left" as const, baseline: "middle" as const, ...look },
    encoding: {
      x: { value: 0 },
      y: { field: "y", type: "quantitative" as const, scale: null, axis: null },
      text: { field: "words", type: "nominal" as const },
    },
  });
  return {
    title,
    caption: text,
    spec: {
      description: `${title}; ${text}`,
      width: 700,
      height: 60,
      autosize: { type: "none" },
      padding: 10,
      config: plotConfig,
      layer: [
        line(14, title, { fontSize: 14, fontWeight: 600, color: palette.ink }),
        line(42, text, { fontSize: 12, color: palette.muted }),
      ],
    },
  };
}
