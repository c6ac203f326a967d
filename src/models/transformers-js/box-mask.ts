import type { Mask } from "../../core/models.js";

/** Whole pixels: from left and top on, up to right and bottom without them. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The pixels that a detector's box touches, cut at the image's edges; empty where it is outside. */
export function wholePixels(
  { xmin, ymin, xmax, ymax }: { xmin: number; ymin: number; xmax: number; ymax: number },
  { width, height }: Size,
): Box {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  return {
    left: within(Math.floor(xmin), width),
    top: within(Math.floor(ymin), height),
    right: within(Math.ceil(xmax), width),
    bottom: within(Math.ceil(ymax), height),
  };
}

/** A box as a mask. */
export function boxMask({ left, top, right, bottom }: Box, { width, height }: Size): Mask {
  const data = new Uint8Array(width * height);
  for (let row = top; row < bottom; row++) {
    data.fill(1, row * width + left, row * width + right);
  }
  return { width, height, data };
}
