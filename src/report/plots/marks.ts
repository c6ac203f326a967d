import type { TopLevelSpec } from "vega-lite";
import { palette } from "./palette.js";

/** What lies over one another in one view. */
export type Layers = Extract<TopLevelSpec, { layer: unknown }>["layer"];
/** Views beside and below one another. */
export type Views = Extract<TopLevelSpec, { concat: unknown }>["concat"];

/** Places in pixels that were computed here: every label has its room, whatever font draws it. */
export const yPlace = { field: "y", type: "quantitative", scale: null, axis: null } as const;
export const xPlace = { field: "x", type: "quantitative", scale: null, axis: null } as const;

export const smallText = { fontSize: 11, color: palette.muted };

/** The texts in `field`, all at the same distance from the left, each at its own `y`. */
export const words = (field: string, at: number, look: object) => ({
  mark: { type: "text" as const, baseline: "middle" as const, color: palette.ink, ...look },
  encoding: { x: { value: at }, y: yPlace, text: { field, type: "nominal" as const } },
});

/** The texts in `text`, each at its own `x` and `y`. */
export const placedWords = (look: object) => ({
  mark: { type: "text" as const, baseline: "middle" as const, color: palette.ink, ...look },
  encoding: { x: xPlace, y: yPlace, text: { field: "text", type: "nominal" as const } },
});

export const titleLook = { align: "left" as const, fontSize: 14, fontWeight: 600 };

export const noteHeight = 16;

/** Small lines below a plot: what its reader must know. */
export const noteLines = (notes: readonly string[], { x, y }: { x: number; y: number }) => ({
  data: { values: notes.map((text, at) => ({ y: y + at * noteHeight, text })) },
  ...words("text", x, { align: "left", ...smallText }),
});
