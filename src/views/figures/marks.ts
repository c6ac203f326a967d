import type { TopLevelSpec } from "./figure.js";
import { palette, plotConfig } from "./palette.js";

/** Layers over one another in one view. */
export type Layers = Extract<TopLevelSpec, { layer: unknown }>["layer"];

interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Frame of several views in one picture: their own size and the margins around them, in pixels,
 * since nothing here measures texts.
 */
export const viewsFrame = (
  { width, height }: { readonly width: number; readonly height: number },
  padding: Margins,
) => ({
  usermeta: {
    width: width + padding.left + padding.right,
    height: height + padding.top + padding.bottom,
  },
  autosize: { type: "none" as const },
  padding: { ...padding },
  config: plotConfig,
  bounds: "flush" as const,
});

/** The size of a picture that has such a frame. */
export function sizeOf({
  usermeta: { width, height } = {},
}: TopLevelSpec): { width: number; height: number } | undefined {
  return typeof width === "number" && typeof height === "number" ? { width, height } : undefined;
}

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
