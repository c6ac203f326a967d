import type { Box, Mask } from "../core/models.js";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The pixels that a detector's box touches, cut at the image's edges; `undefined` where it is outside. */
export function wholePixels({ x0, y0, x1, y1 }: Box, { width, height }: Size): Box | undefined {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const box = {
    x0: within(Math.floor(x0), width),
    y0: within(Math.floor(y0), height),
    x1: within(Math.ceil(x1), width),
    y1: within(Math.ceil(y1), height),
  };
  return box.x1 > box.x0 && box.y1 > box.y0 ? box : undefined;
}

/** A box of whole pixels as a mask. */
export function boxMask({ x0, y0, x1, y1 }: Box, { width, height }: Size): Mask {
  const data = new Uint8Array(width * height);
  for (let row = y0; row < y1; row++) data.fill(1, row * width + x0, row * width + x1);
  return { width, height, data };
}

/** The smallest box that holds a mask; `undefined` where nothing is inside of it. */
export function boxOfMask({ width, data }: Mask): Box | undefined {
  const first = data.indexOf(1);
  if (first < 0) return undefined;
  const y0 = Math.floor(first / width);
  const y1 = Math.floor(data.lastIndexOf(1) / width) + 1;
  let x0 = width;
  let x1 = 0;
  for (let y = y0; y < y1; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const inside = row.indexOf(1);
    if (inside < 0) continue;
    x0 = Math.min(x0, inside);
    x1 = Math.max(x1, row.lastIndexOf(1) + 1);
  }
  return { x0, y0, x1, y1 };
}

/** All that is in any of the masks, of one size, which they have in common. */
export function unionOf(masks: readonly Mask[], { width, height }: Size): Mask {
  const data = new Uint8Array(width * height);
  for (const mask of masks) {
    for (let place = 0; place < data.length; place++) {
      if (mask.data[place]) data[place] = 1;
    }
  }
  return { width, height, data };
}
