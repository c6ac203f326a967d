import type { Mask, Pixels } from "../core/models.js";
import { boxAround } from "./box.js";

const outline = [255, 0, 160] as const;

/**
 * An image for people to see a mask by: outside it the image is grey and dark, and a line goes
 * around the box by which it would be cropped.
 */
export function maskOverlay(pixels: Pixels, mask: Mask): Pixels {
  const { width, height } = pixels;
  const data = Uint8Array.from(pixels.data);
  for (let at = 0; at < width * height; at++) {
    if (mask.data[at] === 1) continue;
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 3, at * 3 + 3);
    data.fill(Math.round((red + green + blue) / 9), at * 3, at * 3 + 3);
  }
  const box = boxAround(mask);
  if (box === undefined) return { width, height, data };
  const paint = (x: number, y: number) => data.set(outline, (y * width + x) * 3);
  for (let x = box.x0; x < box.x1; x++) {
    paint(x, box.y0);
    paint(x, box.y1 - 1);
  }
  for (let y = box.y0; y < box.y1; y++) {
    paint(box.x0, y);
    paint(box.x1 - 1, y);
  }
  return { width, height, data };
}
