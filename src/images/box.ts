import type { Box, Mask } from "../core/models.js";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the pixels that a detector's box touches, clipped to the image; undefined where it lies outside. */
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

/** Returns a box of whole pixels as a mask. */
export function boxMask({ x0, y0, x1, y1 }: Box, { width, height }: Size): Mask {
  const data = new Uint8Array(width * height);
  for (let row = y0; row < y1; row++) data.fill(1, row * width + x0, row * width + x1);
  return { width, height, data };
}

/** The same bytes as a Buffer, which finds one of them twelve times as fast. */
export const searchable = ({ data }: Pick<Mask, "data">): Buffer =>
  Buffer.from(data.buffer, data.byteOffset, data.length);

/** Returns the smallest box around a mask; undefined for an empty mask. */
export function boxOfMask(mask: Mask): Box | undefined {
  const { width } = mask;
  const inside = searchable(mask);
  const first = inside.indexOf(1);
  if (first < 0) return undefined;
  const y0 = Math.floor(first / width);
  const y1 = Math.floor(inside.lastIndexOf(1) / width) + 1;
  let x0 = width;
  let x1 = 0;
  for (let row = y0 * width; row < y1 * width; row += width) {
    const left = inside.indexOf(1, row) - row;
    if (left >= width) continue;
    x0 = Math.min(x0, left);
    x1 = Math.max(x1, inside.lastIndexOf(1, row + width - 1) - row + 1);
  }
  return { x0, y0, x1, y1 };
}

/** Returns the union of masks of one size. */
export function unionOf(masks: readonly Mask[], { width, height }: Size): Mask {
  const data = new Uint8Array(width * height);
  for (const mask of masks) {
    for (let place = 0; place < data.length; place++) {
      if (mask.data[place]) data[place] = 1;
    }
  }
  return { width, height, data };
}

/** Share of a mask's extent by which `boxAround` widens its box on each side. */
const margin = 0.1;

/**
 * Returns the box that L-VQAScore crops: that of a mask with a margin for what the mask missed. With x0
 * and x1 the first and last column of the mask and m = int(0.1 (x1 - x0)), it holds columns from x0 - m to
 * x1 + m - 1, and rows alike, clipped to the image. A mask one pixel wide gives a box one pixel wide,
 * where that rule would give an empty one.
 *
 * @returns undefined for an empty mask.
 * @example boxAround({ width: 4, height: 1, data: Uint8Array.of(0, 1, 1, 1) })
 *   // { x0: 1, y0: 0, x1: 3, y1: 1 }
 */
export function boxAround(mask: Mask): Box | undefined {
  const box = boxOfMask(mask);
  if (box === undefined) return undefined;
  const [x0, x1] = widened(box.x0, box.x1 - 1, mask.width);
  const [y0, y1] = widened(box.y0, box.y1 - 1, mask.height);
  return { x0, y0, x1, y1 };
}

function widened(first: number, last: number, size: number): [number, number] {
  const room = Math.trunc(margin * (last - first));
  const end = Math.max(last + room, first + 1);
  return [Math.max(first - room, 0), Math.min(end, size)];
}
