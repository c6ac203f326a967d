import type { Box, Mask } from "../core/models.js";
import { boxOfMask } from "./box.js";

/** The share of the mask's extent by which its box is widened on each side. */
const margin = 0.1;

/**
 * The box around a mask with some room for what the mask missed, as L-VQAScore crops it. With x0
 * and x1 the first and last column of the mask, it reaches from x0 - m up to but without x1 + m,
 * m = int(0.1 (x1 - x0)), rows alike, cut off at the image's edges. A mask that is one pixel wide
 * gives a box one pixel wide, where that rule would give an empty one.
 *
 * @returns undefined where nothing is inside the mask.
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
