import type { JsonObject } from "./json.js";
import type { CallOptions, Picture } from "./models.js";

type Trace = CallOptions["trace"];
type Size = Pick<Picture, "width" | "height">;

/** Notes that a model reads only so many of a text's tokens. */
export function noteText(
  trace: Trace,
  { read, of }: { readonly read: number; readonly of: number },
) {
  if (read < of) trace?.({ kind: "not-whole", cutAt: read, tokens: of });
}

/** Notes that a model is sent an image with no side longer than `longestSide` pixels. */
export function noteSent(trace: Trace, images: readonly Size[], longestSide: number | undefined) {
  if (longestSide === undefined) return;
  for (const { width, height } of images) {
    const scale = longestSide / Math.max(width, height);
    if (scale >= 1) continue;
    const to = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    trace?.({ kind: "not-whole", shrunk: { from: [width, height], to } });
  }
}

/**
 * Notes that a model sees only the middle of an image, which is shrunk until its shorter side has `shortestEdge`
 * pixels and then cut to `crop`.
 */
export function noteCrop(
  trace: Trace,
  { width, height }: Size,
  { shortestEdge, crop }: { readonly shortestEdge: number; readonly crop: Size },
) {
  const scale = shortestEdge / Math.min(width, height);
  const seen = (side: number, kept: number) =>
    Math.min(1, kept / Math.max(1, Math.round(side * scale)));
  noteUnseen(trace, 1 - seen(width, crop.width) * seen(height, crop.height));
}

/** Notes the share of an image's pixels that a model never sees. */
export function noteUnseen(trace: Trace, unseen: number) {
  if (unseen > 0) trace?.({ kind: "not-whole", unseen });
}

/** Takes such notes out of a trace; `found` has them as details of a score, none where all inputs were whole. */
export function watchingWhole(trace: Trace): { trace: NonNullable<Trace>; found: JsonObject } {
  const found: Record<string, JsonObject[string]> = {};
  return {
    found,
    trace(entry) {
      if (entry.kind !== "not-whole") {
        trace?.(entry);
        return;
      }
      const { kind, ...note } = entry;
      Object.assign(found, note);
    },
  };
}
